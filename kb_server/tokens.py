"""The token file: the clients, their tokens, roles and models; the same file for every server."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from kb_server.errors import BadRequest

__all__ = ["ROLES", "Role", "TokenRow", "read_token_file"]

Role = Literal["read", "write", "admin"]
ROLES: Final[tuple[Role, ...]] = ("read", "write", "admin")
"""Each role includes the rights of the roles before it."""
_SHORTEST: Final = 16
"""Characters of the shortest token, against guessing."""
_TOKEN: Final = re.compile(r"[!-~]+")
_FIELDS: Final = ("name", "token", "role", "models")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token: its client's name, its text, role and models; None stands for all models."""

    name: str
    token: str = field(repr=False)
    role: Role
    models: frozenset[str] | None = None


def read_token_file(path: Path) -> list[TokenRow]:
    """Read a TOML file with one `[[tokens]]` table a token: name, token, role and models.

    BadRequest names the mistake; its message never contains a token.
    """
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as reason:
        why = getattr(reason, "strerror", reason)
        raise BadRequest(f"the token file {path} can't be read: {why}") from None
    rows = said.get("tokens")
    if not isinstance(rows, list) or not rows or set(said) != {"tokens"}:
        raise BadRequest(f"{path} must hold one or more tables [[tokens]] and nothing else")
    found: list[TokenRow] = []
    for number, said_row in enumerate(rows, 1):
        row = _row(said_row, f"{path}: token {number}")
        if any(row.token == other.token for other in found):
            raise BadRequest(f"{path}: token {number} is the same as another one")
        found.append(row)
    return found


def _row(row: object, where: str) -> TokenRow:
    if not isinstance(row, dict) or not set(row) <= set(_FIELDS):
        raise BadRequest(f"{where} may have only the fields {', '.join(sorted(_FIELDS))}")
    name, token, role, models = (row.get(each) for each in _FIELDS)
    if not isinstance(name, str) or not name:
        raise BadRequest(f"{where} has no name")
    if not isinstance(token, str) or len(token) < _SHORTEST:
        raise BadRequest(f"{where} ({name}) has no token of at least {_SHORTEST} characters")
    if not _TOKEN.fullmatch(token):
        raise BadRequest(f"{where} ({name}): a token must be visible ASCII without spaces")
    if role not in ROLES:
        raise BadRequest(f"{where} ({name}): the role must be one of {', '.join(ROLES)}")
    is_list = isinstance(models, list) and all(isinstance(model, str) for model in models)
    if models is not None and not is_list:
        raise BadRequest(f"{where} ({name}): models must be a list of model ids")
    return TokenRow(name, token, role, None if models is None else frozenset(models))
