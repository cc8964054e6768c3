"""JoeyNMT: recurrent, with the attention it calls ``bahdanau``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import yaml

from peers.peer import Peer
from peers.token_lines import TokenPair


class JoeyNMT(Peer):
    """JoeyNMT."""

    name = "joeynmt"
    distribution = "joeynmt==2.3.0"

    def write_files(self, work: Path, train: Sequence[TokenPair], valid: Sequence[TokenPair]) -> None:
        """Lines, vocabularies, and the configuration."""
        sizes = self.settings
        for part, pairs in (("train", train), ("valid", valid)):
            for side, lines in zip(("src", "trg"), zip(*pairs, strict=True), strict=True):
                (work / f"{part}.{side}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for side, lines in zip(("src", "trg"), zip(*train, strict=True), strict=True):
            write_vocabulary(work / f"vocab.{side}", lines)
        config = yaml.safe_load((self.own_folder / "train.yaml").read_text(encoding="utf-8"))
        config["random_seed"] = sizes.seed
        config["data"] |= {"train": str(work / "train"), "dev": str(work / "valid")}
        for side in ("src", "trg"):
            config["data"][side]["voc_file"] = str(work / f"vocab.{side}")
        config["training"] |= {
            "batch_size": sizes.batch,
            "learning_rate": sizes.learning_rate,
            "clip_grad_norm": sizes.clip_norm,
            "label_smoothing": sizes.label_smoothing,
        }
        embeddings = {"embedding_dim": sizes.embedding, "scale": False, "dropout": sizes.dropout}
        for side, hidden_size in (("encoder", sizes.encoder), ("decoder", sizes.decoder)):
            config["model"][side] |= {
                "embeddings": dict(embeddings),
                "hidden_size": hidden_size,
                "dropout": sizes.dropout,
            }
        config["model"]["decoder"]["hidden_dropout"] = sizes.dropout
        (work / "train.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def write_vocabulary(path: Path, lines: Iterable[str]) -> None:
    """All tokens, the most frequent first."""
    counts = Counter(token for line in lines for token in line.split(" "))
    path.write_text("".join(f"{token}\n" for token, _ in counts.most_common()), encoding="utf-8")
