"""Check that this Python can build the environment, and announce the compilation of PyBullet.

Everything that is missing is named in one line, before pip starts. The exit status is then 1.
"""

import math
import os
import platform
import shutil
import sys
import sysconfig
from importlib.util import find_spec

COMPILE_MIN = 9.0  # how long one core compiles PyBullet 3.2.7, as measured under Python 3.12
WITH_WHEEL = ("3.11", "Linux", "x86_64")  # the newest Python for which PyBullet has a wheel

VERSION = "{}.{}".format(*sys.version_info[:2])
COMPILES = (VERSION, platform.system(), platform.machine()) != WITH_WHEEL


def has_compiler(variable: str) -> bool:
    """Whether the compiler that builds extension modules is installed."""
    command = os.environ.get(variable) or sysconfig.get_config_var(variable) or ""
    return bool(command) and shutil.which(command.split()[0]) is not None


def missing() -> dict[str, str]:
    """What is missing, and which package of Debian and Ubuntu has it."""
    lacking = {}
    if not (find_spec("venv") and find_spec("ensurepip")):
        lacking["venv"] = f"python{VERSION}-venv"
    if COMPILES and not (has_compiler("CC") and has_compiler("CXX")):
        lacking["a C++ compiler"] = "g++"
    if COMPILES and not os.path.exists(f"{sysconfig.get_path('include')}/Python.h"):
        lacking["Python's headers"] = f"python{VERSION}-dev"
    return lacking


def main() -> int:
    """Write what is missing, or how long the compilation takes."""
    lacking = missing()
    if lacking:
        print(
            f"make: {sys.executable} (Python {VERSION}) needs {', '.join(lacking)}:",
            f"on Debian, apt-get install {' '.join(lacking.values())}",
            file=sys.stderr,
        )
    elif COMPILES:
        cores = os.cpu_count() or 1
        minutes = math.ceil(COMPILE_MIN / cores)
        print(
            f"make: PyBullet has no wheel for Python {VERSION} here; pip compiles it once,",
            f"which takes about {minutes} min on {cores} core{'s' * (cores > 1)}",
            file=sys.stderr,
        )
    return bool(lacking)


if __name__ == "__main__":
    sys.exit(main())
