"""Drawing with OpenGL: a form and its instances, each with its own matrix, and lenses for eyes."""

import math
from typing import Any, Final

import moderngl
import numpy as np
from numpy.typing import NDArray

from spatial_reasoner.bullet import FAR, NEAR
from spatial_reasoner.forms import form_of
from spatial_reasoner.poses import Floats, rotations
from spatial_reasoner.shapes import Shape
from spatial_reasoner.sight import Eye

__all__ = ["FRAGMENT", "INSTANCE", "VERTEX", "Drawn", "lens_of", "lenses_of"]

VERTEX: Final = """#version 330
in vec4 vertex; in mat4 matrix; in vec4 frame; in vec3 inside; in int number;
flat out int shown; out float gl_ClipDistance[4];
void main() {
    vec3 place = vertex.xyz;
    if (vertex.w > 0.5) {
        place.xy *= inside.xy;
        if (place.z < 0.0) place.z *= inside.z;
    }
    vec4 at = matrix * vec4(place, 1.0);
    gl_ClipDistance[0] = at.w - at.x; gl_ClipDistance[1] = at.w + at.x;
    gl_ClipDistance[2] = at.w - at.y; gl_ClipDistance[3] = at.w + at.y;
    gl_Position = vec4(at.xy * frame.xy + frame.zw * at.w, at.zw);
    shown = number;
}"""
FRAGMENT: Final = """#version 330
flat in int shown; out int number;
void main() { number = shown; }"""
INSTANCE: Final = np.dtype(
    [("matrix", "f4", (4, 4)), ("frame", "f4", 4), ("inside", "f4", 3), ("number", "i4")]
)
_DEPTH: Final = (FAR + NEAR) / (FAR - NEAR)
_NEARER: Final = 2 * FAR * NEAR / (FAR - NEAR)


class Drawn:
    """A form in the graphics library, and room for its instances."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, shape: Shape) -> None:
        form = form_of(shape)
        self.careless: Final = form.careless
        self._context, self._program = context, program
        self._vertices = context.buffer(np.ascontiguousarray(form.vertices).tobytes())
        self._faces = context.buffer(np.ascontiguousarray(form.faces).tobytes())
        self._room(16)

    def _room(self, instances: int) -> None:
        self._size = instances
        self._instances = self._context.buffer(
            reserve=instances * INSTANCE.itemsize, dynamic=True
        )
        layout = "16f 4f 3f 1i/i", "matrix", "frame", "inside", "number"
        self._array = self._context.vertex_array(
            self._program,
            [(self._vertices, "4f", "vertex"), (self._instances, *layout)],
            self._faces,
        )

    def draw(self, instances: NDArray[Any]) -> None:
        if len(instances) > self._size:
            self._array.release()
            self._instances.release()
            self._room(2 * len(instances))
        self._instances.write(instances)
        self._array.render(instances=len(instances))

    def release(self) -> None:
        for held in (self._array, self._instances, self._faces, self._vertices):
            held.release()


def lenses_of(poses: Floats, fovs: Floats) -> Floats:
    """Matrices (n, 4, 4) from the world to what OpenGL calls clip space, y downwards."""
    turned = rotations(poses)
    tall = np.tan(fovs / 2)
    lens = np.empty((len(poses), 4, 4))
    lens[:, 0, :3] = -turned[:, :, 1] / tall[:, :1]
    lens[:, 1, :3] = -turned[:, :, 2] / tall[:, 1:]
    lens[:, 2, :3] = turned[:, :, 0] * _DEPTH
    lens[:, 3, :3] = turned[:, :, 0]
    lens[:, :, 3] = -(lens[:, :, :3] @ poses[:, :3, None])[..., 0]
    lens[:, 2, 3] -= _NEARER
    return lens


def lens_of(eye: Eye) -> Floats:
    """The same of one eye: as plain numbers, which are faster than arrays of one."""
    px, py, pz, x, y, z, w = eye.pose.tolist()
    forward = 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)
    left = 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)
    up = 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)
    lines = []
    for (a, b, c), scale, shift in (
        (left, -1 / math.tan(eye.fov[0] / 2), 0.0),
        (up, -1 / math.tan(eye.fov[1] / 2), 0.0),
        (forward, _DEPTH, _NEARER),
        (forward, 1.0, 0.0),
    ):
        along = (a * px + b * py + c * pz) * scale
        lines.append((a * scale, b * scale, c * scale, -along - shift))
    return np.array(lines)
