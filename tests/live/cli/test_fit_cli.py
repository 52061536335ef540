"""`leadline fit`: what a user gets, what is written, and what is refused."""

from __future__ import annotations

import subprocess
import sys


def test_help_imports_neither_scipy_nor_numpy() -> None:
    code = (
        "import sys; from leadline.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print({'numpy', 'scipy'} & sys.modules.keys(), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "set()\n"
