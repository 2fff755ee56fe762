"""A text that could exhaust the parser's stack, memory or time is translated in a child process first.

libclang is a recursive parser in our own process: a statement of thousands of prefix operators would end it. Macros multiply what
is written and templates compute, so a text with either goes the same way. Ordinary kernels have neither, and start no child.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

from devsem.errors import Bug, Rejected, Where
from devsem.frontend.cuda_source import Source
from devsem.rejections import rejection

MAX_TOKENS, MAX_ELSE, SECONDS, NO_MEMORY = 600, 100, 10, 3
PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
_TOKEN = re.compile(r"\w+|[^\w\s]")
_DEFINE = re.compile(r"define\s+(\w+)(\()?((?:\\\r?\n|[^\n])*)")


def is_suspicious(text: str) -> bool:
    """Could a recursive parser go deep, or run long, on this text?"""
    macros = _DEFINE.findall(text)
    names = {name for name, _, _ in macros}
    if any(call or not names.isdisjoint(re.findall(r"\w+", body)) for _, call, body in macros):
        return True
    if re.search(r"\btemplate\b|\?\?/", text) or len(re.findall(r"\belse\b", text)) > MAX_ELSE:
        return True
    return any(len(piece) > MAX_TOKENS and len(_TOKEN.findall(piece)) > MAX_TOKENS for piece in re.split(r"[;{}]", text))


def survives(source: Source, function: str | None, template: tuple[str, ...] = ()) -> None:
    """Raises Rejected for a text on which the parser dies or does not end; whatever else it says is said again here."""
    if not is_suspicious(source.text):
        return
    code = _tried(source.path, source.text, function, template)
    if code is None:
        raise Rejected(rejection("cuda.size", Where(source.path), what=f"the text is not parsed within {SECONDS} s"))
    if code > 0 and code != NO_MEMORY:
        raise Bug(f"the process that tries {source.path} ended with code {code}")
    if code != 0:
        raise Rejected(rejection("cuda.depth", Where(source.path), what="the code"))


@functools.lru_cache(maxsize=64)
def _tried(path: str, text: str, function: str | None, template: tuple[str, ...]) -> int | None:
    """The exit code of a process that translates the text, None if it does not end; tried once, since the text is parsed for each reading and device."""
    command = [sys.executable, "-P", "-m", "devsem.frontend.cuda_child", path, function or "", *template]
    paths = os.pathsep.join(filter(None, (PACKAGE_ROOT, os.environ.get("PYTHONPATH"))))
    try:
        return subprocess.run(command, input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS,
                              env={**os.environ, "PYTHONPATH": paths}, check=False).returncode
    except subprocess.TimeoutExpired:
        return None
