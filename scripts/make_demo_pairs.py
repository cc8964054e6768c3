"""Make the pairs of the demo from the English-Mandarin file of Tatoeba (CC BY 2.0 FR).

Input rows: English TAB Mandarin TAB attribution. Rows without an attribution are left out. The split is by
English sentence: the 1,000 with the smallest SHA-256 are for testing, the next 1,000 for validation.

    python scripts/make_demo_pairs.py eng_cmn.tsv
"""

import hashlib
import lzma
import sys
from pathlib import Path

OUT = Path(__file__).parents[1] / "src/seq2see/demo/tatoeba_eng_cmn.tsv.xz"
HELD_OUT = 1000


def main() -> None:
    """Write rows of split, English, Mandarin, attribution."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = [line.split("\t") for line in lines]
    rows = [row for row in rows if len(row) == 3 and row[2].strip()]
    sources = sorted({row[0] for row in rows}, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    split = dict.fromkeys(sources[:HELD_OUT], "test") | dict.fromkeys(sources[HELD_OUT : 2 * HELD_OUT], "valid")
    out = "".join("\t".join([split.get(row[0], "train"), *row]) + "\n" for row in rows)
    OUT.write_bytes(lzma.compress(out.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    print(f"{OUT}: {len(rows):,} rows, {len(sources):,} English sentences, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
