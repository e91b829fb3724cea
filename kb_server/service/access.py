"""Who may do what: tokens with names, roles and the models they reach."""

import hashlib
import hmac
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kb_server.errors import Forbidden, Unauthorized
from kb_server.tokens import ROLES, Role, read_token_file

__all__ = ["ANYBODY", "Access", "Role", "Tokens", "read_tokens"]


@dataclass(frozen=True, slots=True)
class Access:
    """What the bearer of a token may do: its role, in which models (None: all)."""

    name: str
    role: Role
    models: frozenset[str] | None = None

    def require(self, role: Role, *models: str) -> None:
        """Forbidden, unless the role reaches that far and so do the models."""
        if ROLES.index(self.role) < ROLES.index(role):
            raise Forbidden(f"{self.name} may {self.role}; this needs {role}", needs=role)
        for model in models:
            if not self.reaches(model):
                raise Forbidden(f"{self.name} may not touch the model {model[:80]!r}", model=model)

    def require_plain(self) -> None:
        """Forbidden, unless it may write graphs of plain storage: they are of no model."""
        self.require_beside("plain storage")

    def require_beside(self, place: str) -> None:
        """Forbidden, unless it may write in a place that is of no model."""
        self.require("write")
        if self.models is not None:
            raise Forbidden(f"{self.name} may write in its models, and not in {place}")

    def reaches(self, model: str) -> bool:
        """Whether a model is among its own, or lies in one that is."""
        if self.models is None:
            return True
        parts = model.split(".")
        return any(".".join(parts[:n]) in self.models for n in range(1, len(parts) + 1))


ANYBODY: Final = Access("anybody", "admin")
"""Who asks where no tokens are kept."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a server, by their hashes; they are never kept or logged themselves."""

    by_hash: dict[bytes, Access] = field(repr=False)

    def access(self, token: str) -> Access:
        """What a token allows; Unauthorized when it is none."""
        hashed = _hash(token)
        found = [a for known, a in self.by_hash.items() if hmac.compare_digest(known, hashed)]
        if not found:
            raise Unauthorized("this token is not known here")
        return found[0]


def read_tokens(path: Path) -> Tokens:
    """The tokens of a file; BadRequest when it is none."""
    rows = read_token_file(path)
    return Tokens({_hash(row.token): Access(row.name, row.role, row.models) for row in rows})


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
