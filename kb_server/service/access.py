"""Who may do what: tokens with names, roles and the models they reach."""

import hashlib
import hmac
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from kb_server.core.errors import BadRequest
from kb_server.service.errors import Forbidden, Unauthorized

__all__ = ["ANYBODY", "Access", "Role", "Tokens", "read_tokens"]

Role = Literal["read", "write", "admin"]
_ROLES: Final[tuple[Role, ...]] = ("read", "write", "admin")
_SHORTEST: Final = 16
_FIELDS: Final = frozenset(("name", "token", "role", "models"))


@dataclass(frozen=True, slots=True)
class Access:
    """What the bearer of a token may do: its role, in which models (None: all)."""

    name: str
    role: Role
    models: frozenset[str] | None = None

    def require(self, role: Role, *models: str) -> None:
        """Forbidden, unless the role reaches that far and so do the models."""
        if _ROLES.index(self.role) < _ROLES.index(role):
            raise Forbidden(f"{self.name} may {self.role}; this needs {role}", needs=role)
        for model in models:
            if not self.reaches(model):
                raise Forbidden(f"{self.name} may not touch the model {model[:80]!r}", model=model)

    def require_plain(self) -> None:
        """Forbidden, unless it may write graphs of plain storage: they are of no model."""
        self.require("write")
        if self.models is not None:
            raise Forbidden(f"{self.name} may write in its models, and not in plain storage")

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
    """The tokens of a TOML file, a `[[tokens]]` table each: name, token, role and models."""
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        raise BadRequest(f"the token file {path} can't be read: {reason}") from None
    rows = said.get("tokens")
    if not isinstance(rows, list) or not rows or set(said) != {"tokens"}:
        raise BadRequest(f"{path}: tables [[tokens]] are expected, and nothing else")
    found: dict[bytes, Access] = {}
    for number, row in enumerate(rows, 1):
        hashed, access = _row(row, f"{path}: token {number}")
        if hashed in found:
            raise BadRequest(f"{path}: token {number} is the same as another one")
        found[hashed] = access
    return Tokens(found)


def _row(row: object, where: str) -> tuple[bytes, Access]:
    if not isinstance(row, dict) or not set(row) <= _FIELDS:
        raise BadRequest(f"{where} has other fields than {', '.join(sorted(_FIELDS))}")
    name, token, role = row.get("name"), row.get("token"), row.get("role")
    if not isinstance(name, str) or not name:
        raise BadRequest(f"{where} has no name")
    if not isinstance(token, str) or len(token) < _SHORTEST:
        raise BadRequest(f"{where} ({name}) has no token of at least {_SHORTEST} characters")
    if role not in _ROLES:
        raise BadRequest(f"{where} ({name}): its role is one of {', '.join(_ROLES)}")
    models = row.get("models")
    if models is not None and not (
        isinstance(models, list) and all(isinstance(model, str) for model in models)
    ):
        raise BadRequest(f"{where} ({name}): models is a list of model ids")
    return _hash(token), Access(name, role, None if models is None else frozenset(models))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
