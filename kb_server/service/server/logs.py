"""The log format of the server: lines of text for a terminal, or lines of JSON for a program."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal

__all__ = ["LogStyle", "start_logging"]

LogStyle = Literal["text", "json"]
_TEXT: Final = "%(asctime)s %(levelname)-7s %(message)s"
_QUIET: Final = ("uvicorn", "websockets", "asyncio")


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "t": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def start_logging(style: LogStyle, *, verbose: bool = False) -> None:
    """Begins to log to stderr; with `verbose`, also a line for every request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if style == "json" else logging.Formatter(_TEXT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
