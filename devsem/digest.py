"""One order of arguments: by a digest of their structure, so that a normal form does not depend on what was built before."""

from __future__ import annotations

import hashlib

from devsem.expr import CONST, Expr

_digests: dict[Expr, bytes] = {}


def digest(e: Expr) -> bytes:
    """A stable name for an expression's structure; constants come last in the order of arguments."""
    found = _digests.get(e)
    if found is None:
        text = f"{e.op}|{e.sort}|{e.value}|{e.name}|".encode()
        found = bytes([e.op == CONST]) + hashlib.blake2b(text + b"".join(map(digest, e.args)), digest_size=12).digest()
        _digests[e] = found
    return found
