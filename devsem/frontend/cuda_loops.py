"""for, while, do and switch. A switch becomes branches: each of its cases must end in `break`, `return` or `continue`."""

from __future__ import annotations

from dataclasses import dataclass

from devsem.expr import const_bool
from devsem.frontend.cuda_arith import compare
from devsem.frontend.cuda_clang import Cursor, children, descendants, is_expression, kind
from devsem.frontend.cuda_scope import State, boolean
from devsem.frontend.cuda_types import POISON
from devsem.program import If, Loop, Statement
from devsem.simplify import FALSE, make

LOOPS = {"FOR_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do"}
LABELS = frozenset({"CASE_STMT", "DEFAULT_STMT"})
INSIDE = frozenset({*LOOPS, "SWITCH_STMT", "LAMBDA_EXPR"})
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


def loop(state: State, cursor: Cursor) -> None:
    """Translate a loop."""
    below, post = children(cursor), kind(cursor) == "DO_STMT"
    first = test = step = None
    if kind(cursor) == "FOR_STMT":
        *head, body = below
        found = _head(cursor, head)
        if found is None:
            state.refuse("cuda.construct", cursor, name="such a head of a for")
            return
        first, test, step = found
    else:
        body, test = below if post else below[::-1]
    if len(below) > 4 or (test is not None and not is_expression(test)):
        state.refuse("cuda.construct", cursor, name="a declaration in the condition of a loop")
        return
    if first is not None:
        state.statement(state, first)
    with state.block() as testing:
        condition = const_bool(True) if test is None else boolean(state, state.value(state, test), test)
    with state.block() as inside:
        state.statement(state, body)
    with state.block() as stepping:
        if step is not None:
            state.statement(state, step)
    state.emit(Loop(tuple(testing), condition, tuple(inside), tuple(stepping), post, state.where(cursor)))


def _head(cursor: Cursor, head: list[Cursor]) -> tuple[Cursor | None, Cursor | None, Cursor | None] | None:
    """What stands before, between and behind the two semicolons of a `for`: libclang leaves out what is empty."""
    if len(head) == 3:
        return head[0], head[1], head[2]
    depth, ends = 0, []
    for token in cursor.get_tokens():
        depth += (token.spelling in OPENING) - (token.spelling in CLOSING)
        if token.spelling == ";" and depth == 1:
            ends.append(token.extent.start.offset)
        if depth == 0 and ends:
            break
    out: list[Cursor | None] = [None, None, None]
    if len(ends) != 2:
        return None
    for c in head:
        at = sum(c.extent.start.offset > end for end in ends)
        if out[at] is not None:
            return None
        out[at] = c
    return out[0], out[1], out[2]


@dataclass
class Group:
    """Some labels of a switch and the statements behind them; `labels` has None for `default`."""

    labels: list[Cursor | None]
    body: list[Cursor]


def switch(state: State, cursor: Cursor) -> None:
    """A switch on an integer, as branches in the order of its cases."""
    below = children(cursor)
    groups = _groups(children(below[1])) if len(below) == 2 and is_expression(below[0]) and kind(below[1]) == "COMPOUND_STMT" else None
    if groups is None:
        state.refuse("cuda.switch", cursor)
        return
    subject = state.value(state, below[0])
    if subject.type is POISON.type:
        return
    subject, where = state.frozen(subject, "switch", cursor), state.where(cursor)
    otherwise: tuple[Statement, ...] = ()
    rows = []
    for group in groups:
        holds = FALSE
        for label in group.labels:
            if label is not None:
                v = state.convert(state.value(state, label), subject.type, label)
                holds = make("or", holds, compare(state, "==", subject, v, label).expr) if v.type is not POISON.type else holds
        with state.block() as inside:
            for s in group.body:
                state.statement(state, s)
        if any(label is None for label in group.labels):        # what another label of the group chooses is chosen by default, too
            otherwise = tuple(inside)
        else:
            rows.append((holds, tuple(inside)))
    for holds, body in reversed(rows):
        otherwise = (If(holds, body, otherwise, where),)
    state.blocks[-1].extend(otherwise)


def _groups(below: list[Cursor]) -> list[Group] | None:
    """The cases of a switch; None where one runs into the next, or ends in its middle."""
    groups: list[Group] = []
    for s in below:
        if kind(s) in LABELS:
            if groups and not _ends(groups[-1].body):
                return None
            groups.append(Group([], []))
            while kind(s) in LABELS:
                parts = children(s)
                groups[-1].labels.append(parts[0] if kind(s) == "CASE_STMT" else None)
                if kind(s) == "CASE_STMT" and len(parts) != 2:
                    return None
                s = parts[-1]
        elif not groups:
            return None
        groups[-1].body.append(s)
    for group in groups:
        while group.body and kind(group.body[-1]) == "COMPOUND_STMT":
            group.body[-1:] = children(group.body[-1])
        if group.body and kind(group.body[-1]) == "BREAK_STMT":
            group.body.pop()
        if any(_breaks(s) for s in group.body):
            return None
    return groups


def _ends(body: list[Cursor]) -> bool:
    """Does a case end in a jump?"""
    if body and kind(body[-1]) == "COMPOUND_STMT":
        return _ends(children(body[-1]))
    return bool(body) and kind(body[-1]) in ("BREAK_STMT", "RETURN_STMT", "CONTINUE_STMT")


def _breaks(cursor: Cursor) -> bool:
    """Is there a `break` that would leave the switch, or a label of it?"""
    return any(kind(c) in ("BREAK_STMT", *LABELS) for c in descendants(cursor, INSIDE))
