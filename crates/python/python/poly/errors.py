"""What goes wrong in operations of `poly`.

Beside these classes, wrong arguments are a ``TypeError``, ``ValueError`` or ``IndexError``.
"""

__all__ = [
    "Error",
    "ParseError",
    "SpaceError",
    "BudgetError",
    "UnboundedError",
    "ScheduleError",
    "InternalError",
]


class Error(Exception):
    """An operation has no result."""


class ParseError(Error, ValueError):
    """A text cannot be read."""

    def __init__(self, message: str, position: int = 0, text: str = "") -> None:
        super().__init__(message, position, text)
        #: What is wrong.
        self.message = message
        #: At which character of the text, counted from 0.
        self.position = position
        #: The text.
        self.text = text

    def __str__(self) -> str:
        before = self.text[: self.position]
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        return f"line {line}, column {column}: {self.message}"


class SpaceError(Error, ValueError):
    """The spaces of operands do not fit each other, or the operation."""


class BudgetError(Error):
    """The operations that one call may take are used up, see `set_max_operations`. Operands are as before."""


class UnboundedError(Error, ValueError):
    """There is no optimum, or there are infinitely many points."""


class ScheduleError(Error):
    """No schedule satisfies the constraints, or none was found."""


class InternalError(Error):
    """An error in Poly, which is worth a report. Operands are as before."""
