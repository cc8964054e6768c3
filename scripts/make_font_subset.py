"""Make the fallback font of the pictures from Droid Sans Fallback (Apache-2.0).

Keeps the characters of GB 2312, the common ones of Big5, JIS X 0208, and their punctuation.

    python scripts/make_font_subset.py /usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf
"""

import sys
from pathlib import Path

from fontTools import subset

OUT = Path(__file__).parents[1] / "src/seq2see/plotting/DroidSansFallbackSubset.ttf"
FAMILY = "Droid Sans Fallback Subset"


def encodable(encoding: str, first: range, second: range) -> set[int]:
    """Characters of a two-byte encoding."""
    found: set[int] = set()
    for high in first:
        for low in second:
            try:
                found.update(map(ord, bytes((high, low)).decode(encoding)))
            except UnicodeDecodeError:
                continue
    return found


def main() -> None:
    """Write the subset."""
    wanted = encodable("gb2312", range(0xA1, 0xF8), range(0xA1, 0xFF))
    wanted |= encodable("big5", range(0xA1, 0xC7), range(0x40, 0xFF))
    wanted |= encodable("euc_jp", range(0xA1, 0xF5), range(0xA1, 0xFF))
    wanted |= set(range(0x3000, 0x3100)) | set(range(0xFF00, 0xFFF0))
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True)
    font = subset.load_font(sys.argv[1], options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=sorted(wanted))
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = FAMILY if record.nameID != 6 else FAMILY.replace(" ", "")
    subset.save_font(font, str(OUT), options)
    print(f"{OUT}: {len(wanted):,} characters wanted, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
