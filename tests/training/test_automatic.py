import pytest

from seq2see.config import Config, load_config
from seq2see.data.batches import Example
from seq2see.data.pairs import Pair
from seq2see.training import automatic
from seq2see.training.automatic import choose_tokens, choose_training


def choose(pairs: list[Pair], config: Config | None = None) -> tuple[Config, list[str]]:
    tokens = choose_tokens(config or Config(), [pair.source for pair in pairs], [pair.target for pair in pairs])
    examples = [Example([4] * max(1, len(pair.source)), [4] * len(pair.target)) for pair in pairs]
    training = choose_training(tokens.config, pairs, examples)
    return training.config, [*tokens.reasons, *training.reasons]


@pytest.mark.parametrize(
    ("pair", "source", "target", "metric"),
    [
        (Pair("hozzájárul", "h o zː aː j aː r u l"), "char", "space", "exact_match"),
        (Pair("Where is the station, please?", "我不知道车站在哪里。"), "bpe", "char", "bleu"),
        (Pair("Where is the station, please?", "Wo ist der Bahnhof, bitte?"), "bpe", "bpe", "bleu"),
        (Pair("محمد", "Mohammed"), "char", "char", "exact_match"),
        (Pair("Open file", "打开文件"), "bpe", "char", "exact_match"),
    ],
)
def test_tokens_and_metric_follow_the_look_of_the_pairs(pair: Pair, source: str, target: str, metric: str) -> None:
    pairs = [pair._replace(source=f"{pair.source}{'x' * (n % 3)}") for n in range(30)]
    config, reasons = choose(pairs)
    assert (config.tokens.source.type, config.tokens.target.type) == (source, target)
    assert config.training.metric == metric
    assert any(reason.startswith("tokens.source.type = ") for reason in reasons)


def test_nothing_is_left_open_and_every_choice_is_told() -> None:
    config, reasons = choose([Pair("abc", "cba")] * 30)
    assert config.training.batch_tokens == 32 * 4  # 32 pairs of 3 tokens and an end
    assert config.tokens.target.min_frequency == 1
    assert {reason.split(" = ")[0] for reason in reasons} == {
        "tokens.source.type",
        "tokens.source.min_frequency",
        "tokens.target.type",
        "tokens.target.min_frequency",
        "model.embedding_size",
        "model.encoder.hidden_size",
        "model.decoder.hidden_size",
        "model.attention.attention_size",
        "training.max_epochs",
        "training.learning_rate",
        "training.warmup_updates",
        "training.precision",
        "training.batch_tokens",
        "training.metric",
        "search.length_ratio",
    }


@pytest.mark.parametrize(
    ("has_it", "size", "precision"), [(True, 256, "bfloat16"), (True, 128, "float32"), (False, 256, "float32")]
)
def test_precision_follows_processor_and_size(
    monkeypatch: pytest.MonkeyPatch, has_it: bool, size: int, precision: str
) -> None:
    monkeypatch.setattr(automatic, "has_bfloat16", lambda: has_it)
    config, _ = choose([Pair("abc", "cba")] * 30, load_config(None, [f"model.decoder.hidden_size={size}"]))
    assert config.training.precision == precision


@pytest.mark.parametrize(
    ("encoder", "size", "precision"),
    [("transformer", 128, "bfloat16"), ("transformer", 124, "float32"), ("rnn", 128, "float32")],
)
def test_transformers_gain_from_bfloat16_when_they_are_smaller(
    monkeypatch: pytest.MonkeyPatch, encoder: str, size: int, precision: str
) -> None:
    monkeypatch.setattr(automatic, "has_bfloat16", lambda: True)
    sizes = [f"model.{key}={size}" for key in ("embedding_size", "encoder.hidden_size", "decoder.hidden_size")]
    settings = [*sizes, f"model.encoder.type={encoder}", "model.decoder.type=transformer"]
    config, _ = choose([Pair("abc", "cba")] * 30, load_config(None, settings))
    assert config.training.precision == precision


def test_a_transformer_learns_more_slowly() -> None:
    config, reasons = choose([Pair("abc", "cba")] * 30, load_config(None, ["model.decoder.type=transformer"]))
    assert (config.training.learning_rate, config.training.warmup_updates) == (0.001, 300)
    assert "training.learning_rate = 0.001 (a Transformer)" in reasons
    config, _ = choose([Pair("abc", "cba")] * 30, load_config(None, ["training.learning_rate=0.5"]))
    assert (config.training.learning_rate, config.training.warmup_updates) == (0.5, 0)


def test_both_sides_have_tokens_of_one_type_where_they_must() -> None:
    pairs = [Pair("ein kurzer Satz steht hier", "abc")] * 30
    config, _ = choose(pairs, load_config(None, ["tokens.shared=true"]))
    assert config.tokens.source.model_dump(exclude={"decomposed"}) == config.tokens.target.model_dump()
    config, _ = choose(pairs, load_config(None, ["model.decoder.copies=true", "tokens.source.type=char"]))
    assert config.tokens.source.type == config.tokens.target.type == "char"
    config, _ = choose(pairs, load_config(None, ["model.encoder.tags=added"]))
    assert config.tokens.source.type == "char"


def test_what_was_given_is_kept() -> None:
    given = [
        "tokens.source.type=word",
        "tokens.source.vocab_size=50",
        "training.batch_tokens=77",
        "training.metric=chrf",
    ]
    config, reasons = choose([Pair("abc", "cba")] * 30, load_config(None, given))
    assert config.tokens.source.type == "word"
    assert config.tokens.source.vocab_size == 50
    assert config.training.batch_tokens == 77
    assert config.training.metric == "chrf"
    assert not any(reason.startswith(("tokens.source.type", "training.batch_tokens")) for reason in reasons)


def test_hangul_is_cut_into_its_letters() -> None:
    pairs = [Pair("한국말", "h a n k u k m a l")] * 30
    config, reasons = choose(pairs)
    assert config.tokens.source.decomposed is True
    assert "tokens.source.decomposed = true (Hangul syllables, cut into letters)" in reasons
    assert choose(pairs, load_config(None, ["tokens.source.decomposed=false"]))[0].tokens.source.decomposed is False
    for other in (["tokens.source.type=word"], ["tokens.shared=true"], ["model.decoder.copies=true"]):
        assert choose(pairs, load_config(None, other))[0].tokens.source.decomposed is False
    assert choose([Pair("abc", "cba")] * 30)[0].tokens.source.decomposed is False
