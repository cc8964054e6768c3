"""Outputs as lines: text, tsv and jsonl."""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seq2see.inference import Translation, Translator


class Alignments(StrEnum):
    """Which links are added to a line."""

    pharaoh = "pharaoh"
    pharaoh_tokens = "pharaoh-tokens"


class Format(StrEnum):
    """What a line of the output holds."""

    text = "text"
    tsv = "tsv"
    jsonl = "jsonl"


def format_lines(
    translations: Sequence["Translation"],
    output_format: Format,
    *,
    weights: bool = False,
    links: Sequence[str] | None = None,
) -> list[str]:
    """The lines that stand for the outputs of one source; ``links`` are added to those of text and tsv."""
    if output_format is Format.text:
        return [translations[0].text + (f" ||| {links[0]}" if links else "")]
    if output_format is Format.tsv:
        return [
            "\t".join([_tsv_line(translation), *([links[number]] if links else [])])
            for number, translation in enumerate(translations)
        ]
    return [_json_line(translation, weights=weights) for translation in translations]


def links_of(translator: "Translator", translation: "Translation", alignments: Alignments) -> str:
    """The links of an output as ``i-j``."""
    from seq2see.alignment import merge_to_words

    if alignments is Alignments.pharaoh_tokens:
        return translation.alignment.pharaoh()
    source = translator.tokenizers.text_of(translation.source)
    return merge_to_words(translation.alignment, source, translation.text).pharaoh()


def _tsv_line(translation: "Translation") -> str:
    from seq2see.plotting import links_line

    columns = (
        translation.source,
        translation.text,
        "" if translation.problem else f"{translation.log_prob:.4f}",
        links_line(translation.alignment),
    )
    return "\t".join(column.replace("\t", "\\t") for column in columns)


def _json_line(translation: "Translation", *, weights: bool) -> str:
    from seq2see.alignment.words import token_spans

    rows = [[round(float(weight), 4) for weight in row] for row in translation.weights]
    return json.dumps(
        {
            "source": translation.source,
            "text": translation.text,
            "log_prob": None if translation.problem else translation.log_prob,
            "score": None if translation.problem else translation.score,
            "source_tokens": translation.source_tokens,
            "tokens": translation.tokens,
            "token_log_probs": translation.token_log_probs,
            "alignment": translation.alignment.pharaoh(),
            "source_spans": token_spans(translation.source_tokens, translation.source),
            "spans": token_spans(translation.tokens, translation.text),
            **({"weights": rows} if weights else {}),
            "problem": translation.problem,
        },
        ensure_ascii=False,
    )
