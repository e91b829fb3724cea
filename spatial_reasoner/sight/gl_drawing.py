"""Instanced drawing with OpenGL: the shaders, a form, and its instances with their own matrices."""

from typing import Final

import moderngl
import numpy as np

from spatial_reasoner.geometry.arrays import Singles
from spatial_reasoner.geometry.render_meshes import render_mesh_of
from spatial_reasoner.geometry.shapes import Shape

__all__ = ["FRAGMENT", "INSTANCE", "VERTEX", "Drawn"]

VERTEX: Final = """#version 330
uniform vec2 sheet;
in vec4 vertex; in mat4 matrix; in vec4 part; in vec2 place; in vec4 inside;
flat out int shown; out float gl_ClipDistance[4];
void main() {
    vec3 at_form = vertex.xyz;
    if (vertex.w > 0.5) {
        at_form.xy *= inside.xy;
        if (at_form.z < 0.0) at_form.z *= inside.z;
    }
    vec4 at = matrix * vec4(at_form, 1.0);
    vec4 edge = vec4(at.xy, -at.xy) + vec4(-part.xy, part.zw) * at.w;
    gl_ClipDistance[0] = edge.x; gl_ClipDistance[1] = edge.y;
    gl_ClipDistance[2] = edge.z; gl_ClipDistance[3] = edge.w;
    vec2 point = at.xy;
    if (at.w > 0.0) {
        vec2 fine = floor(point / at.w * 256.0 + 0.5) / 256.0;
        if (all(lessThan(abs(fine), vec2(16384.0)))) point = fine * at.w;
    }
    gl_Position = vec4((point + place * at.w) * 2.0 / sheet - at.w, at.zw);
    shown = int(inside.w + 0.5);
}"""
"""The vertex shader rounds corners to 1/256 of a pixel, which is Mesa's resolution. So rounding
does not depend on the place of a picture on the sheet."""
FRAGMENT: Final = """#version 330
flat in int shown; out int number;
void main() { number = shown; }"""
INSTANCE: Final = 26
"""The numbers of an instance: a matrix by columns (16), from the form to pixels from the centre of
the picture; the part of the picture that is drawn (4); the place of its centre on the sheet (2);
the scale of a cavity (3); and the row plus one (1)."""


class Drawn:
    """The vertex buffers of a form in OpenGL, and a buffer for its instances."""

    def __init__(
        self, context: moderngl.Context, program: moderngl.Program, shape: Shape, is_coarse: bool
    ) -> None:
        form = render_mesh_of(shape, is_coarse)
        self.careless: Final = form.careless
        self._context, self._program = context, program
        self._vertices = context.buffer(np.ascontiguousarray(form.vertices).tobytes())
        self._faces = context.buffer(np.ascontiguousarray(form.faces).tobytes())
        self._room(16)

    def _room(self, instances: int) -> None:
        self._size = instances
        self._instances = self._context.buffer(reserve=instances * INSTANCE * 4, dynamic=True)
        layout = "16f 4f 2f 4f/i", "matrix", "part", "place", "inside"
        self._array = self._context.vertex_array(
            self._program,
            [(self._vertices, "4f", "vertex"), (self._instances, *layout)],
            self._faces,
        )

    def draw(self, instances: Singles) -> None:
        """Draws the form once for each instance (n, INSTANCE)."""
        if len(instances) > self._size:
            self._array.release()
            self._instances.release()
            self._room(2 * len(instances))
        self._instances.write(instances)
        self._array.render(instances=len(instances))

    def release(self) -> None:
        for held in (self._array, self._instances, self._faces, self._vertices):
            held.release()
