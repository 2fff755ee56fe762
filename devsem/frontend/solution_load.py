"""What load_inline compiles: the texts, laid out with the lines of the Python file, and the flags that its device compiler gets."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devsem.errors import UsageError
from devsem.flags import normalise
from devsem.frontend.host_values import Items
from devsem.frontend.solution_text import Text, joined
from devsem.frontend.solution_values import Extension, Unclear

# [Q:nvcc --help][M: --dryrun] -O0…3 sets the host's optimisation only; -O3 is ptxas' own default
HARMLESS = re.compile(r"-O[0-3]|--optimize=[0-3]|-lineinfo|--generate-line-info|-std=c\+\+(11|14|17|20)|--std=c\+\+(11|14|17|20)|--expt-relaxed-constexpr|"
                      r"--expt-extended-lambda|--extended-lambda|-w|-Wall|-Wno-[\w-]+|--threads=?\d*|-Xptxas=(-O3|-v)|--ptxas-options=(-O3|-v)|"
                      r"-(gencode|arch)=?[\w=,]*|--gpu-architecture=\w+|-Xcompiler=?[\w,=+-]*|-res-usage|--resource-usage|-g|-DNDEBUG|--use-local-env")
PAIRS = {"-Xptxas": ("-O3", "-v", "-O3,-v"), "-Xcompiler": None, "-gencode": None, "-arch": None, "--threads": None, "-std": None, "--compiler-options": None}
# what differs between the string and the file that load_inline writes it to
PLACES = re.compile(r"\b__(LINE|FILE|COUNTER|BASE_FILE|TIME|DATE|TIMESTAMP)__\b")


def load_inline(e: ast.Call, args: Sequence[Any], keywords: Mapping[str, Any]) -> Extension:
    """The call of load_inline as what it builds."""
    names = ("name", "cpp_sources", "cuda_sources", "functions", "extra_cflags", "extra_cuda_cflags")
    given = {**dict(zip(names, args, strict=False)), **keywords}
    unknown = set(given) - {*names, "verbose", "with_cuda", "extra_ldflags", "build_directory", "keep_intermediates", "is_python_module", "extra_include_paths",
                            "with_pytorch_error_handling", "use_pch", "no_implicit_headers"}
    if unknown or len(args) > len(names):
        raise Unclear(e, "solution.load", what=f"it is given {', '.join(sorted(unknown)) or 'too many arguments'}")
    if isinstance(given.get("extra_include_paths"), Items) and given["extra_include_paths"].values:
        raise Unclear(e, "solution.load", what="extra_include_paths brings other files")
    functions = given.get("functions")
    names_of = tuple(functions) if isinstance(functions, dict) else None if functions is None else tuple(t.value for t in _texts(e, functions, "functions"))
    cpp, cuda = (joined(_texts(e, given[n], n), Text("\n", (1, 1))) if given.get(n) is not None else Text("", (1,)) for n in ("cpp_sources", "cuda_sources"))
    flags = _texts(e, given["extra_cuda_cflags"], "extra_cuda_cflags") if given.get("extra_cuda_cflags") is not None else ()
    return Extension(e, cpp, cuda, names_of, flags)


def _texts(e: ast.Call, value: Any, name: str) -> tuple[Text, ...]:
    """A string, or a list of strings."""
    found = value.values if isinstance(value, Items) else (value,)
    if not all(isinstance(v, Text) for v in found):
        raise Unclear(e, "solution.text", name=name, what="it is no string")
    return tuple(found)


@dataclass(frozen=True)
class Built:
    """The texts to parse with the name each has in messages, the last one with the kernels; the flags, as `--flags` spells them."""

    texts: tuple[tuple[str, str], ...]
    flags: str

    @property
    def cuda(self) -> tuple[str, str]:
        """The text with the kernels."""
        return self.texts[-1]


def built(path: str, extension: Extension) -> Built:
    """The texts and flags of an extension. Raises Rejected or Unclear."""
    out = []
    for name, source in (("cpp_sources", extension.cpp), ("cuda_sources", extension.cuda)):
        if found := PLACES.search(source.value):
            raise Unclear(extension.node, "solution.line", name=found[0])
        text, exact = source.laid_out()
        if source.value.strip() or name == "cuda_sources":
            out.append((path if exact else f"{path} ({name})", text))
    return Built(tuple(out), flags_of(extension))


def flags_of(extension: Extension) -> str:
    """The flags that change what the device computes; others are dropped where that is known, or refused."""
    words = [w.value for w in extension.flags]
    kept, i = [], 0
    while i < len(words):
        word = words[i]
        if word in PAIRS and i + 1 < len(words):
            allowed = PAIRS[word]
            if allowed is not None and words[i + 1] not in allowed:
                raise Unclear(extension.node, "solution.flag", name=f"{word} {words[i + 1]}")
            i += 2
            continue
        if not HARMLESS.fullmatch(word):
            kept.append(word)
        i += 1
    try:
        return normalise(" ".join(kept))
    except UsageError:
        for word in kept:
            try:
                normalise(word)
            except UsageError:
                raise Unclear(extension.node, "solution.flag", name=word) from None
        raise Unclear(extension.node, "solution.flag", name=" ".join(kept)) from None
