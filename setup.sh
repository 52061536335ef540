#!/bin/sh
# Makes the virtual environment $1 with the project in it, installing a compiler and Python's venv
# module first where they are missing and this user may (Debian, root).
set -eu
venv=$1

missing=""
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v objdump >/dev/null 2>&1 || missing="$missing binutils"
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
if [ -n "$missing" ]; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: missing:$missing; install them, then try again" >&2
        exit 1
    fi
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of package names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing
fi
# Scotch is optional: `leadline map` asks it about irregular graphs, `make bench` compares with it.
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1 &&
    ! ldconfig -p | grep -q 'libscotch-7\.0'; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libscotch-7.0; } ||
        echo "setup: going on without Scotch" >&2
fi

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: Python 3.11 or later is needed, found $(python3 --version)" >&2
    exit 1
}
python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --upgrade "pip>=25.1"
"$venv/bin/python" -m pip install --quiet --editable . --group dev
