"""The types of arrays, named for what their numbers mean; loops and all floors share them."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Codes", "Flags", "Floats", "Indices", "Rows", "Singles"]

Floats: TypeAlias = NDArray[np.float64]
"""Quantities, in SI units unless a name says otherwise."""
Flags: TypeAlias = NDArray[np.bool_]
"""Truth values: of rows, pairs of rows, pixels or the cells of a lattice."""
Rows: TypeAlias = NDArray[np.intp]
"""The numbers of rows, and other indices into arrays."""
Codes: TypeAlias = NDArray[np.int8]
"""Members of a short list, such as the forms of bodies."""
Indices: TypeAlias = NDArray[np.int32]
"""Indices as meshes and pictures store them: corners of triangles, rows at pixels."""
Singles: TypeAlias = NDArray[np.float32]
"""Quantities in single precision, for OpenGL and Bullet."""
Array: TypeAlias = NDArray[Any]
"""An array of anything."""
