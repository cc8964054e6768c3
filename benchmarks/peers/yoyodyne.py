"""yoyodyne: an attentive LSTM, which it calls ``soft attention LSTM``."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from peers.peer import Peer
from peers.token_lines import TokenPair


class Yoyodyne(Peer):
    """yoyodyne, which has no length penalty, and attends with the state before."""

    name = "yoyodyne"
    distribution = "yoyodyne==0.5.27"

    def write_files(self, work: Path, train: Sequence[TokenPair], valid: Sequence[TokenPair]) -> None:
        """Tables and the configuration; it finds the vocabularies itself."""
        for part, pairs in (("train", train), ("valid", valid)):
            with (work / f"{part}.tsv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, delimiter="\t", lineterminator="\n").writerows(pairs)
        config = self.configuration()
        config["seed_everything"] = self.settings.seed
        config["data"] |= {"train": str(work / "train.tsv"), "val": str(work / "valid.tsv")}
        (work / "train.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    def configuration(self) -> dict[str, Any]:
        """All but files and seed."""
        sizes, config = self.settings, self._read("train.yaml")
        config["data"]["batch_size"] = sizes.batch
        config["trainer"]["gradient_clip_val"] = sizes.clip_norm
        model = config["model"]["init_args"]
        model |= {
            "embedding_size": sizes.embedding,
            "decoder_hidden_size": sizes.decoder,
            "decoder_dropout": sizes.dropout,
            "label_smoothing": sizes.label_smoothing,
        }
        model["source_encoder"]["init_args"] |= {
            "embedding_size": sizes.embedding,
            "hidden_size": sizes.encoder,
            "dropout": sizes.dropout,
        }
        model["optimizer"]["init_args"]["lr"] = sizes.learning_rate
        return config

    def _read(self, name: str) -> dict[str, Any]:
        config: dict[str, Any] = yaml.safe_load((self.own_folder / name).read_text(encoding="utf-8"))
        return config


class DocumentedYoyodyne(Yoyodyne):
    """yoyodyne with its own sizes and numbers; of the settings the seed alone counts."""

    def configuration(self) -> dict[str, Any]:
        """What its documentation has, and nothing laid over it."""
        return self._read("documented.yaml")
