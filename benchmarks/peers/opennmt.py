"""OpenNMT-py: recurrent, with the attention it calls ``mlp``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import yaml

from peers.peer import Peer
from peers.token_lines import TokenPair


class OpenNMT(Peer):
    """OpenNMT-py."""

    name = "opennmt"
    distribution = "OpenNMT-py==3.5.1"

    def write_files(self, work: Path, train: Sequence[TokenPair], valid: Sequence[TokenPair]) -> None:
        """Lines, counts of tokens, and the training's options.

        Raises:
            ValueError: The sizes cannot be had.
        """
        sizes = self.settings
        if 2 * sizes.encoder != sizes.decoder:
            raise ValueError("OpenNMT-py wants a decoder of twice the encoder's size in one direction")
        for part, pairs in (("train", train), ("valid", valid)):
            for side, lines in zip(("src", "tgt"), zip(*pairs, strict=True), strict=True):
                (work / f"{part}.{side}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for side, lines in zip(("src", "tgt"), zip(*train, strict=True), strict=True):
            write_counts(work / f"vocab.{side}", lines)
        options = yaml.safe_load((self.own_folder / "train.yaml").read_text(encoding="utf-8"))
        options |= {
            "data": {"corpus_1": {"path_src": str(work / "train.src"), "path_tgt": str(work / "train.tgt")}},
            "src_vocab": str(work / "vocab.src"),
            "tgt_vocab": str(work / "vocab.tgt"),
            "word_vec_size": sizes.embedding,
            "hidden_size": sizes.decoder,
            "dropout": [sizes.dropout],
            "batch_size": sizes.batch,
            # a larger bucket would hold the same pairs twice, and repeated sources of a batch are dropped
            "bucket_size": len(train),
            "learning_rate": sizes.learning_rate,
            "max_grad_norm": sizes.clip_norm,
            "label_smoothing": sizes.label_smoothing,
            "seed": sizes.seed,
        }
        (work / "train.yaml").write_text(yaml.safe_dump(options), encoding="utf-8")


def write_counts(path: Path, lines: Iterable[str]) -> None:
    """How often each token occurs, the most frequent first."""
    counts = Counter(token for line in lines for token in line.split(" "))
    path.write_text("".join(f"{token}\t{count}\n" for token, count in counts.most_common()), encoding="utf-8")
