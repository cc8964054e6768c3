"""What the data doctor says of the data of a run, in a few lines."""

from collections.abc import Sequence
from pathlib import Path

from seq2see.config import Config
from seq2see.data.doctor import Finding, Level, examine_pairs
from seq2see.data.pairs import Pair

MOST_LINES = 3


def data_remarks(config: Config, pairs: Sequence[Pair], valid: Sequence[Pair] | None) -> list[str]:
    """Lines for the user: what would harm the model, the worst first, and whether there is more to be seen.

    Args:
        config: Names the files that were read.
        pairs: Training pairs.
        valid: Validation pairs, where there are some of their own.
    """
    data = config.data
    named: dict[str, Sequence[Pair]] = {str(data.train or data.source): pairs}
    if valid is not None:
        named[str(data.valid or data.valid_source)] = valid
    findings = examine_pairs(named, tags=config.model.encoder.tags != "none").findings
    harms = [finding for finding in findings if finding.level is not Level.strange]
    lines = [f"data: {_told(finding)}" for finding in harms[:MOST_LINES]] or ["data: nothing in them harms a model"]
    if len(findings) > min(len(harms), MOST_LINES):
        further = len(findings) - min(len(harms), MOST_LINES)
        lines.append(f"data: {further} further remark{'s' if further > 1 else ''} by seq2see check-data")
    return lines


def _told(finding: Finding) -> str:
    places = ", ".join(f"{Path(place.file).name}:{place.line}" for place in finding.places[:MOST_LINES])
    more = ", …" if finding.count > MOST_LINES else ""
    return f"{finding.count:,} × {finding.what} ({places}{more})"
