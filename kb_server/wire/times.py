"""Times as texts: ISO 8601 in UTC with microseconds, the resolution of the board's clock."""

from datetime import UTC, datetime
from typing import Final

from kb_server.core.terms.terms import shown
from kb_server.errors import BadRequest

__all__ = ["LATEST", "read_time", "written_time"]

_PER_SECOND: Final = 1_000_000
"""Microseconds in a second."""
LATEST: Final = 253_402_300_799.0
"""The last second of the year 9999, the latest time that can be written."""


def written_time(t: float) -> str:
    """Return a time of the board's clock as ISO text.

    >>> written_time(1767268800.12)
    '2026-01-01T12:00:00.120000Z'
    """
    whole, micro = divmod(round(t * _PER_SECOND), _PER_SECOND)
    moment = datetime.fromtimestamp(whole, UTC).replace(microsecond=micro, tzinfo=None)
    return f"{moment.isoformat(timespec='microseconds')}Z"


def read_time(text: str, field: str) -> float:
    """Return the time of an ISO text, in UTC if it has no zone; BadRequest names `field`.

    >>> read_time("2026-01-01T13:00:00.12+01:00", "at")
    1767268800.12
    """
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        whole = moment.replace(microsecond=0).timestamp()
    except (ValueError, OverflowError):
        raise BadRequest(
            f"{field} must be an ISO time such as 2026-01-01T12:00:00Z, not {shown(text)}",
            field=field,
        ) from None
    if whole > LATEST:
        raise BadRequest(f"{field} lies beyond the year 9999: {shown(text)}", field=field)
    return (int(whole) * _PER_SECOND + moment.microsecond) / _PER_SECOND
