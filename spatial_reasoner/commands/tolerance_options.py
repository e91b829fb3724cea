"""Sets tolerances as the options say. Only light modules are imported: see `kb_server.program`."""

import argparse
import logging
import sys
from typing import Final

from kb_server.program import USAGE, UsageError, loaded
from spatial_reasoner.errors import SettingError
from spatial_reasoner.tolerances.settings import (
    PROMISED,
    ToleranceValue,
    latest,
    set_tolerances,
)
from spatial_reasoner.tolerances.tolerances import REGIONS, Tolerances

__all__ = ["run_with_tolerances", "tolerances_of", "warn_if_late"]

_log: Final = logging.getLogger(__name__)


def run_with_tolerances(name: str, run: str, args: argparse.Namespace) -> int:
    """Runs a command, if its tolerances fit each other; otherwise its modules are not imported.

    `name` is that of the command, and `run` its function as `module:function`.
    """
    if not args.tolerances:
        try:
            tolerances_of(args)
        except UsageError as reason:
            print(f"mindboard {name}: {reason}", file=sys.stderr)
            return USAGE
    return int(loaded(run)(args))


def tolerances_of(args: argparse.Namespace) -> Tolerances:
    """The tolerances with the given settings; raises UsageError if they contradict each other."""
    settings: dict[str, ToleranceValue] = dict(args.tolerance)
    if args.regions is not None:
        if "direction" in settings:
            raise UsageError("--regions and --tolerance direction both set the width of directions")
        settings["direction"] = REGIONS[args.regions]
    try:
        return set_tolerances(settings)
    except SettingError as reason:
        raise UsageError(f"--tolerance {reason.message}") from None


def warn_if_late(tolerances: Tolerances) -> None:
    """Logs a warning if the settings delay facts beyond the promised time."""
    if latest(tolerances) > PROMISED:
        said = "facts may come after %.2g s instead of %g s: smoothing is %g, debounce %g"
        smoothing, debounce = tolerances.smoothing, tolerances.debounce
        _log.warning(said, latest(tolerances), PROMISED, smoothing, debounce)
