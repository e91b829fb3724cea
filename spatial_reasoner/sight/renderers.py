"""The registry of renderers, and the choice among them."""

from collections.abc import Callable, Mapping
from typing import Final

from spatial_reasoner.dynamics.bullet import Bullet
from spatial_reasoner.errors import NoRenderer
from spatial_reasoner.sight.close_ups import CloseUpSight
from spatial_reasoner.sight.gl_sight import GlSight
from spatial_reasoner.sight.ray_sight import RaySight
from spatial_reasoner.sight.tiny_sight import TinySight

__all__ = ["RENDERERS", "chosen_sight"]

RENDERERS: Final[Mapping[str, Callable[[Bullet | None], CloseUpSight]]] = {
    "gl": lambda _: GlSight(),
    "tiny": TinySight,
    "rays": RaySight,
}


def chosen_sight(
    name: str, log: Callable[[str], None], bullet: Bullet | None = None
) -> CloseUpSight:
    """The renderer with a name; `auto` is OpenGL if it is available, else TinyRenderer.

    The choice is logged in one line. NoRenderer if the name is unknown or the renderer is not
    available. Renderers that need Bullet share `bullet`, or open their own client.
    """
    if name == "auto":
        try:
            return chosen_sight("gl", log, bullet)
        except NoRenderer as error:
            log(f"sight: TinyRenderer, slower than OpenGL, because there is {error.message}")
            return TinySight(bullet)
    if name not in RENDERERS:
        known = ", ".join(["auto", *RENDERERS])
        raise NoRenderer(f"there is no renderer {name!r}; choose one of {known}", name=name)
    sight = RENDERERS[name](bullet)
    log(f"sight: OpenGL on {sight.renderer}" if isinstance(sight, GlSight) else f"sight: {name}")
    return sight
