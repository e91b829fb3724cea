"""Access rights: tokens with names, roles and the models that they may use."""

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
    """The rights of a token's bearer: a role, and the models it applies to (None: all)."""

    name: str
    role: Role
    models: frozenset[str] | None = None

    def require(self, role: Role, *models: str) -> None:
        """Raises Forbidden unless the role suffices and all these models are allowed."""
        if ROLES.index(self.role) < ROLES.index(role):
            raise Forbidden(f"{self.name} may {self.role}; this needs {role}", needs=role)
        for model in models:
            if not self.reaches(model):
                raise Forbidden(f"{self.name} has no rights on {model[:80]!r}", model=model)

    def require_plain(self) -> None:
        """Raises Forbidden unless this may write plain storage, whose graphs belong to no model."""
        self.require_beside("plain storage")

    def require_beside(self, place: str) -> None:
        """Raises Forbidden unless this may write outside models: it needs rights on all of them."""
        self.require("write")
        if self.models is not None:
            raise Forbidden(f"{self.name} may write in its models only, not {place}")

    def reaches(self, model: str) -> bool:
        """Whether a model, or one that it is nested in, is among the allowed ones."""
        if self.models is None:
            return True
        parts = model.split(".")
        return any(".".join(parts[:n]) in self.models for n in range(1, len(parts) + 1))


ANYBODY: Final = Access("anybody", "admin")
"""The access of every client when the server has no tokens."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a server, stored as hashes; a token itself is neither stored nor logged."""

    by_hash: dict[bytes, Access] = field(repr=False)

    def access(self, token: str) -> Access:
        """The access of a token; Unauthorized if it is unknown."""
        hashed = _hash(token)
        found = [a for known, a in self.by_hash.items() if hmac.compare_digest(known, hashed)]
        if not found:
            raise Unauthorized("this token is not known here")
        return found[0]


def read_tokens(path: Path) -> Tokens:
    """Reads a token file; BadRequest if it is invalid."""
    rows = read_token_file(path)
    return Tokens({_hash(row.token): Access(row.name, row.role, row.models) for row in rows})


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
