"""Integer sets and relations, counting, schedules and program generation.

Names are those of islpy where there is no reason for others.
"""

from __future__ import annotations

from collections.abc import Iterator as _Iterator
from contextlib import contextmanager as _contextmanager

from . import errors
from ._core import (
    AstBuild,
    AstNode,
    BasicMap,
    BasicSet,
    Constraint,
    Map,
    MultiUnionPwAff,
    Point,
    PwAff,
    PwMultiAff,
    PwQPolynomial,
    PwQPolynomialFold,
    Schedule,
    ScheduleConstraints,
    ScheduleNode,
    Set,
    Space,
    UnionAccessInfo,
    UnionFlow,
    UnionMap,
    UnionSet,
    dim_type,
    get_max_operations,
    set_max_operations,
)
from .errors import (
    BudgetError,
    Error,
    InternalError,
    ParseError,
    ScheduleError,
    SpaceError,
    UnboundedError,
)

__all__ = [
    "AstBuild",
    "AstNode",
    "BasicMap",
    "BasicSet",
    "BudgetError",
    "Constraint",
    "Error",
    "InternalError",
    "Map",
    "MultiUnionPwAff",
    "ParseError",
    "Point",
    "PwAff",
    "PwMultiAff",
    "PwQPolynomial",
    "PwQPolynomialFold",
    "Schedule",
    "ScheduleConstraints",
    "ScheduleError",
    "ScheduleNode",
    "Set",
    "Space",
    "SpaceError",
    "UnboundedError",
    "UnionAccessInfo",
    "UnionFlow",
    "UnionMap",
    "UnionSet",
    "dim_type",
    "errors",
    "get_max_operations",
    "max_operations",
    "set_max_operations",
]


@_contextmanager
def max_operations(operations: int) -> _Iterator[None]:
    """Within a `with` block, each call may take so many operations; 0 is no limit. All threads share the limit."""
    before = get_max_operations()
    set_max_operations(operations)
    try:
        yield
    finally:
        set_max_operations(before)
