"""Tables of results, from raw data: what each recipe of ``configs/`` reaches, beside what is published.

``python benchmarks/quality.py g2p --data data --out results`` trains and tests whatever that table has not got yet,
and can be stopped at any time; ``--sets`` and ``--models`` do some of it, so that several can run side by side.
``page`` in place of a table writes ``docs/results.md``, and ``prepare`` the files that the commands there read.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from peers.peer import PeerUnavailable
from quality_page import write_page
from quality_tables import TABLES, DataSet, Recipe, Scores, Table
from quality_tables.table import TOGETHER, Learn, Outputs
from running import Experiment, Result, parser, run_all

from seq2see.bundle import STATE
from seq2see.config import load_config
from seq2see.data.pairs import Pair, group_references
from seq2see.inference import Translator, load_ensemble
from seq2see.training import train_on_pairs

ROOT = Path(__file__).parents[1]


def write_pairs(path: Path, pairs: list[Pair]) -> None:
    """A TSV file; tags go into the third column."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = [(*pair.source.split("\t")[:1], pair.target, *pair.source.split("\t")[1:]) for pair in pairs]
    path.write_text("".join("\t".join(line) + "\n" for line in columns), encoding="utf-8")


def prepare(table: Table, data: Path, out: Path) -> None:
    """Write the pairs of every set, as the commands on the page read them."""
    for data_set in table.sets(data):
        for name in ("train", "valid", "test"):
            write_pairs(out / "pairs" / table.name / data_set.name / f"{name}.tsv", getattr(data_set, name))


def score(table: Table, outputs_of: Outputs, pairs: list[Pair]) -> Scores:
    """All scores on some pairs of what gives outputs."""
    grouped = group_references(pairs)
    sources = [pair.source for pair in grouped]
    return rounded(table.measure(sources, outputs_of(sources), [pair.targets for pair in grouped]))


def translations(translator: Translator) -> Outputs:
    """What a model gives."""
    return lambda sources: [translation.text for translation in translator.translate(sources)]


def rounded(scores: Scores) -> Scores:
    """As many digits as say something."""
    return {name: round(value, 3) for name, value in scores.items()}


def baseline(table: Table, data_set: DataSet) -> Result:
    """The scores of what needs no model."""
    if table.baseline is None:
        return {}
    give = table.baseline[1]
    part = table.parts[-1]
    return {part: score(table, lambda sources: give(data_set, sources), getattr(data_set, part))}


def run_peer(table: Table, data_set: DataSet, learn: Learn, environments: Path, threads: int) -> Result:
    """Have another toolkit learn, and test what it has learnt once."""
    with tempfile.TemporaryDirectory() as work:
        learnt = learn(data_set, environments, Path(work), threads)
        found = {part: score(table, learnt.outputs_of, getattr(data_set, part)) for part in table.parts}
    return {"minutes": round(learnt.minutes, 2), **found}


def directory_of(out: Path, table: Table, data_set: DataSet, model: str, seed: int) -> Path:
    """Where a model is kept, so that it can go on and be one of several."""
    return out / "models" / table.name / data_set.name / model.replace(" ", "-") / str(seed)


def run_one(table: Table, data_set: DataSet, recipe: Recipe, seed: int, directory: Path) -> Result:
    """Train a model, and test it once."""
    begun = (directory / STATE).exists()
    config = load_config(ROOT / "configs" / recipe.config, [*recipe.settings, f"training.seed={seed}"])
    start = time.process_time()
    translator = train_on_pairs(
        data_set.train, data_set.valid, config, out=directory, resume=begun, overwrite=not begun
    )
    minutes = round((time.process_time() - start) / 60, 2)
    parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    found = {part: score(table, translations(translator), getattr(data_set, part)) for part in table.parts}
    (directory / STATE).unlink(missing_ok=True)
    return {"minutes": None if begun else minutes, "parameters": parameters, **found}


def experiments(
    table: Table, data: Path, out: Path, *, sets: list[str], models: list[str], seeds: int | None
) -> Iterator[Experiment]:
    """Every set and model, seed by seed, and then all of them together."""
    for data_set in table.sets(data):
        if sets and data_set.name not in sets:
            continue
        if table.baseline is not None and (not models or table.baseline[0] in models):
            key: Result = {"table": table.name, "set": data_set.name, "model": table.baseline[0], "seed": 0}
            yield key, lambda data_set=data_set: baseline(table, data_set)  # type: ignore[misc]
        for model, recipe in table.models.items():
            if (models and model not in models) or (recipe.only and data_set.name not in recipe.only):
                continue
            key = {"table": table.name, "set": data_set.name, "model": model}
            places = [directory_of(out, table, data_set, model, seed) for seed in range(1, recipe.seeds + 1)]
            for seed, place in enumerate(places[:seeds], start=1):

                def train(
                    data_set: DataSet = data_set, recipe: Recipe = recipe, seed: int = seed, place: Path = place
                ) -> Result:
                    return run_one(table, data_set, recipe, seed, place)

                yield {**key, "seed": seed}, train
            if recipe.seeds > 1 and recipe.together and seeds is None:

                def together(data_set: DataSet = data_set, places: list[Path] = places) -> Result:
                    translator = load_ensemble(places)
                    outputs_of = translations(translator)
                    return {part: score(table, outputs_of, getattr(data_set, part)) for part in table.parts}

                yield {**key, "seed": TOGETHER}, together


def of_peers(
    table: Table, data: Path, environments: Path, *, sets: list[str], models: list[str], threads: int
) -> Iterator[Experiment]:
    """Other toolkits, where they are asked for."""
    for data_set in table.sets(data):
        for name, learn in table.peers.items():
            if name in models and (not sets or data_set.name in sets):

                def run(data_set: DataSet = data_set, learn: Learn = learn) -> Result:
                    return run_peer(table, data_set, learn, environments, threads)

                yield {"table": table.name, "set": data_set.name, "model": name, "seed": 1}, run


def main() -> None:
    """Run a table, or write the page."""
    options = parser(__doc__ or "")
    options.add_argument("table", choices=[*TABLES, "page", "prepare"])
    options.add_argument("--sets", nargs="+", default=[], help="some of the table's sets")
    options.add_argument("--models", nargs="+", default=[], help="some of the table's models")
    options.add_argument(
        "--peers", type=Path, help="folder of other toolkits' environments; for models that are theirs"
    )
    options.add_argument("--seeds", type=int, help="the first so many of each model, and none together")
    given = options.parse_args()
    if given.table == "page":
        write_page(given.out, given.data, ROOT / "docs" / "results.md")
        return
    if given.table == "prepare":
        for table in TABLES.values():
            prepare(table, given.data, given.out)
        return
    table = TABLES[given.table]
    theirs = [name for name in table.peers if name in given.models]
    if theirs and given.peers is None:
        options.error(f"{theirs[0]} is another toolkit; --peers FOLDER says where it is, or shall be, installed")
    made = experiments(table, given.data, given.out, sets=given.sets, models=given.models, seeds=given.seeds)
    path = given.out / f"{table.name}.jsonl"
    run_all(made, path, threads=given.threads)
    if theirs:
        chosen = {"sets": given.sets, "models": theirs, "threads": given.threads}
        try:
            run_all(of_peers(table, given.data, given.peers, **chosen), path, threads=given.threads)
        except PeerUnavailable as reason:
            print(f"{theirs[0]} is left out: {reason}")


if __name__ == "__main__":
    main()
