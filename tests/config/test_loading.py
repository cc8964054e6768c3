import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from seq2see.config import Config, dump_config, load_config, parse_config, replace
from seq2see.errors import ConfigError


def test_file_then_settings(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("model: {dropout: 0.25, encoder: {hidden_size: 64}}\ntraining:\n  seed: 5\n")
    config = load_config(str(path), ["training.seed=7", "tokens.source.type=word"])
    assert (config.model.dropout, config.model.encoder.hidden_size) == (0.25, 64)
    assert (config.training.seed, config.tokens.source.type) == (7, "word")


def test_dump_and_parse_give_the_same() -> None:
    config = replace(Config(), {"data.train": "pairs.tsv", "training.minutes": 0.5})
    assert parse_config(yaml.safe_load(dump_config(config)), "again") == config


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.learing_rate=1", r"training\.learing_rate: no such key; did you mean training\.learning_rate\?"),
        ("model.hidden_size=4", r"model\.hidden_size: no such key; did you mean model\.\w+\.hidden_size\?"),
        ("lerning_rate=1", r"lerning_rate: no such key; did you mean training\.learning_rate\?"),
        ("xyzzy=1", r"xyzzy: no such key; the sections are data, tokens, model, training, search"),
        ("training.learning_rate=-1", r"training\.learning_rate: got -1; input should be greater than 0"),
        ("training.seed=many", r"training\.seed: got 'many'; input should be a valid integer"),
        ("model.dropout=1.0", r"model\.dropout: got 1\.0; input should be less than 1"),
        ("tokens.source.type=chars", r"tokens\.source\.type: got 'chars'; input should be 'auto', 'char'"),
        ("training=3", r"training: got 3; input should be a valid dictionary"),
        ("training", r"--set training: wanted key\.path=value"),
        ("training.seed=2024-13-45", r"--set training\.seed=2024-13-45: not YAML"),
        ("training.seed=!!bool maybe", "not YAML"),
        ("training.seed=[[[", "not YAML"),
        ("training.seed=!!int", "not YAML"),
        ("training.seed=!!float '_'", "not YAML"),
        ("training.seed=1" + ":1" * 200 + ".0", "not YAML"),
        ("training.minutes=.inf", r"training\.minutes: got inf; input should be a finite number"),
        ("search.length_penalty=1000", r"search\.length_penalty: got 1000; input should be less than or equal to 10"),
        ("training.seed=true", r"training\.seed: got True; input should be a valid integer"),
        ("training.learning_rate=true", r"training\.learning_rate: got True; input should be a valid number"),
        ("model.dropout=false", r"model\.dropout: got False; input should be a valid number"),
        ("training.seed.x=1", r"training\.seed: got \{'x': 1\}"),
        ("training.seed=0x" + "f" * 5000, r"training\.seed: got int of very many digits; "),
        ("model.dropout={a: 0x" + "f" * 5000 + "}", r"model\.dropout: got dict of very many digits; "),
        ("training.seed=&x [*x]", r"training\.seed: got \[\[\[\[\.\.\.\]\]\]\]; "),
    ],
)
def test_faults_name_the_key_and_what_was_wanted(setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(None, [setting])


def test_a_section_without_keys_is_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("training:\nmodel:\n")
    assert load_config(path, ["training.seed=3"]).training.seed == 3


def test_numbers_as_yaml_writes_them_and_merged_keys(tmp_path: Path) -> None:
    config = load_config(None, ["model.dropout=1e-1", "training.learning_rate=1e-3"])
    assert (config.model.dropout, config.training.learning_rate) == (0.1, 0.001)
    path = tmp_path / "c.yaml"
    path.write_text("model:\n  encoder: &small {hidden_size: 8}\n  decoder:\n    <<: *small\n    cell: gru\n")
    assert load_config(path).model.decoder.hidden_size == 8


def test_a_value_that_would_fill_the_memory_is_shortened(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    levels = [f"  - &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(9)]
    path.write_text("training:\n  seed:\n  - &a0 lol\n" + "".join(levels))
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert len(str(caught.value)) < 3000


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(None, ["training.seed=-1", "model.dropout=2", "model.droput=0"])
    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "not YAML"),
        ("- 1\n", "is a list, wanted sections"),
        ("training: {seed: x}", r"c\.yaml: training\.seed"),
        ("training:\n  seed: 1\n  seed: 2\n", r"'seed' is given twice .* line 3"),
        ("model: {}\nmodel: {}\n", r"'model' is given twice .* line 2"),
    ],
)
def test_files_that_are_no_configuration(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_config(path)
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path / "d.yaml")


def test_pairs_are_given_once() -> None:
    with pytest.raises(ConfigError, match=r"data\.train and data\.source/data\.target exclude each other"):
        load_config(None, ["data.train=a", "data.source=b"])


def test_configuration_needs_no_torch() -> None:
    code = "import sys, seq2see.config; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
