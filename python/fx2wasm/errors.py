"""What can go wrong, as exceptions whose text is meant for the model's author."""

from __future__ import annotations

from typing import Optional


class ExportError(Exception):
    """The model or its inputs hold something that FX graph JSON cannot say.

    The message names the node, the module or the input that is at fault.
    """


class TraceError(ExportError):
    """``torch.fx`` cannot record the model's ``forward``.

    Attributes:
        file: the source file of the line that cannot be recorded, or None if it is unknown.
        line: its 1-based line number, or None.
        code: the text of that line, or ``""``.
        reason: why FX cannot record it.
        advice: what to do, one entry per way out.
    """

    def __init__(
        self,
        headline: str,
        file: Optional[str],
        line: Optional[int],
        code: str,
        reason: str,
        advice: tuple[str, ...],
    ) -> None:
        self.file = file
        self.line = line
        self.code = code
        self.reason = reason
        self.advice = advice
        place = "" if file is None else f"{file}:{line}: "
        parts = [place + headline]
        if code:
            parts.append("    " + code)
        parts.append("why: " + reason)
        parts.append("what to do:")
        parts.extend("  - " + way for way in advice)
        super().__init__("\n".join(parts))
