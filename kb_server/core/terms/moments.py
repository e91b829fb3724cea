"""Moments: XSD dates and times as comparable numbers."""

import re
from decimal import Decimal
from typing import Final, NamedTuple

from ontology.vocabulary import XSD_DATE_TIME

__all__ = ["Moment", "read_moment"]

_DATE: Final = r"(?P<year>-?(?:[1-9][0-9]{3,9}|0[0-9]{3}))-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME: Final = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}(?:\.[0-9]+)?)"
_ZONE: Final = r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?"
_FORMS: Final = {
    "xsd:date": re.compile(_DATE + _ZONE + r"\Z"),
    XSD_DATE_TIME: re.compile(_DATE + "T" + _TIME + _ZONE + r"\Z"),
    "xsd:dateTimeStamp": re.compile(_DATE + "T" + _TIME + r"(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})\Z"),
}
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY: Final = 86_400


class Moment(NamedTuple):
    """Seconds since 1970-01-01; in UTC if the text has a time zone, else in local time."""

    zoned: bool
    seconds: Decimal


def read_moment(text: str, datatype: str) -> Moment | None:
    """Return the moment of a text; None if it is not valid for its datatype.

    >>> read_moment("1970-01-02T00:00:00Z", "xsd:dateTime")
    Moment(zoned=True, seconds=Decimal('86400'))
    """
    match = _FORMS[datatype].match(text)
    if match is None:
        return None
    found = match.groupdict()
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    clock = _clock(found)
    offset = _offset(found["zone"])
    if clock is None or offset is None or not _is_day(year, month, day):
        return None
    return Moment(found["zone"] is not None, _days(year, month, day) * _DAY + clock - offset)


def _clock(found: dict[str, str]) -> Decimal | None:
    """Return the seconds since midnight; 24:00:00 is the following midnight."""
    if "hour" not in found:
        return Decimal(0)
    hour, minute, second = int(found["hour"]), int(found["minute"]), Decimal(found["second"])
    if hour == 24:
        return Decimal(_DAY) if minute == second == 0 else None
    return hour * 3600 + minute * 60 + second if hour < 24 and minute < 60 > second else None


def _offset(zone: str | None) -> int | None:
    if zone is None or zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 14 or minutes > 59 or (hours == 14 and minutes):
        return None
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)


def _is_day(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= 12:
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + leap


def _days(year: int, month: int, day: int) -> Decimal:
    """Return the days since 1970-01-01 in the proleptic Gregorian calendar.

    The algorithm is Howard Hinnant's `days_from_civil`: years begin in March, eras have 400 years.
    """
    years = year - (month <= 2)
    era, in_era = divmod(years, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = in_era * 365 + in_era // 4 - in_era // 100 + day_of_year
    return Decimal(era * 146_097 + day_of_era - 719_468)
