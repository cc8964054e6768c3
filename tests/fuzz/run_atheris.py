"""Fuzzing that looks for inputs by the branches they take: ``python -m tests.fuzz.run_atheris [--runs N] [TARGET …]``.

Wants atheris (``pip install ".[fuzzing]"``). Every target has a process of its own, since the library ends the one
that it fuzzes in. The exception that an input raises is shown, and the input is kept in the folder of ``--keep``.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ALL_RUNS = 100_000
INSTRUMENTED = ["seq2see.alignment", "seq2see.config", "seq2see.data", "seq2see.training.guidance", "polib", "yaml"]
SECONDS = 20
"""An input that takes longer hangs."""


def main() -> int:
    """Fuzz the targets one after the other; 0 if none has failed."""
    from tests.fuzz.targets import SEEDS

    names = [target.__name__ for target in SEEDS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(names)}; all if none is given")
    parser.add_argument("--runs", type=int, default=ALL_RUNS, help="inputs, of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", help="folder for inputs that fail")
    options = parser.parse_args()
    chosen = options.targets or names
    if unknown := set(chosen) - set(names):
        parser.error(f"no target {', '.join(unknown)}; wanted some of {', '.join(names)}")
    failed = []
    for name in chosen:
        print(f"== {name}", flush=True)
        settings = [name, str(options.runs // len(chosen)), str(options.seed), options.keep]
        command = [sys.executable, "-c", "from tests.fuzz.run_atheris import fuzz; fuzz()", *settings]
        if subprocess.run(command, check=False).returncode != 0:
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "no failure")
    return 1 if failed else 0


def fuzz() -> None:
    """Fuzz the target named on the command line; does not return."""
    import atheris

    name, runs, seed, keep = sys.argv[1:]
    with atheris.instrument_imports(include=INSTRUMENTED):
        from tests.fuzz import targets
    target = next(target for target in targets.SEEDS if target.__name__ == name)
    folder = Path(tempfile.mkdtemp())
    (folder / "seeds").mkdir()
    for number, content in enumerate((*targets.SEEDS[target], *targets.NASTY)):
        (folder / "seeds" / str(number)).write_bytes(content)
    words = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in targets.NASTY if len(piece) <= 64)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in words))
    limits = [f"-runs={runs}", f"-seed={seed}", f"-timeout={SECONDS}", "-max_len=8192", f"-artifact_prefix={keep}/"]
    arguments = [*limits, f"-dict={folder / 'words'}", "-verbosity=0", "-print_final_stats=1", str(folder / "seeds")]
    atheris.Setup([name, *arguments], lambda content: targets.probe(target, content, folder))
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
