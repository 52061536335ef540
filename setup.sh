#!/bin/sh
# setup.sh venv DIR       makes the virtual environment DIR with the project in it
# setup.sh packages FILE  installs the Debian packages that FILE lists
#
# Either first installs what is missing, where this user may (Debian, root), and else names it.
set -eu

may_install() {
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1
}

install() {
    apt-get update -qq
    # Without what they recommend: that would be desktops.
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Arguments: packages that can't be done without.
need() {
    [ $# -eq 0 ] && return
    if ! may_install; then
        echo "setup: missing: $*; install them, then try again" >&2
        exit 1
    fi
    echo "setup: installing $*"
    install "$@"
}

is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

packages() {
    missing=""
    for package in $(sed 's/#.*//' "$1"); do
        is_installed "$package" || missing="$missing $package"
    done
    # shellcheck disable=SC2086  # a list of names, here and below
    need $missing
}

venv() {
    missing=""
    command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
    command -v objdump >/dev/null 2>&1 || missing="$missing binutils"
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
    # shellcheck disable=SC2086
    need $missing
    # `leadline map` asks Scotch about irregular graphs, if it is there.
    if may_install && ! ldconfig -p | grep -q 'libscotch-7\.0'; then
        install libscotch-7.0 || echo "setup: going on without Scotch" >&2
    fi
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "setup: Python 3.11 or later is needed, found $(python3 --version)" >&2
        exit 1
    }
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet --upgrade "pip>=25.1"
    "$1/bin/python" -m pip install --quiet --editable . --group dev
}

case "${1-} ${2-}" in
    "venv "?* | "packages "?*) "$1" "$2" ;;
    *) echo "setup: write setup.sh venv DIR or setup.sh packages FILE" >&2; exit 2 ;;
esac
