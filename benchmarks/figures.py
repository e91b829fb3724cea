"""How figures in milliseconds are told."""

from benchmarks.measures import Figure

__all__ = ["at_most", "milliseconds"]


def milliseconds(seconds: float) -> str:
    """Such as `4.3 ms`, and `0.13 ms` of what takes less than one."""
    return f"{seconds * 1000:.{2 if seconds < 0.001 else 1}f} ms"


def at_most(name: str, ours: float, target: float, beside: str) -> Figure:
    """A figure that is not to be above its target."""
    told, wanted = milliseconds(ours), f"≤ {target * 1000:g} ms"
    return Figure(name, told, beside, ours / target, wanted, ours <= target)
