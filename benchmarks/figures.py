"""The notation of figures in milliseconds."""

from benchmarks.measures import Figure

__all__ = ["at_most", "milliseconds"]


def milliseconds(seconds: float) -> str:
    """A text such as `4.3 ms`, or `0.13 ms` below one millisecond."""
    return f"{seconds * 1000:.{2 if seconds < 0.001 else 1}f} ms"


def at_most(name: str, ours: float, target: float, beside: str) -> Figure:
    """A figure that is met if it is at most its target."""
    measured, wanted = milliseconds(ours), f"≤ {target * 1000:g} ms"
    return Figure(name, measured, beside, ours / target, wanted, ours <= target)
