"""Whether the peers still install, train and translate: a few updates of each, and what they then say.

Run ``python benchmarks/try_peers.py --peers FOLDER --data data``; the speeds it prints come from too few updates to
be compared.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from peers.peer import Peer, PeerUnavailable, installed_peers
from peers.token_lines import TokenPair
from running import parser
from tasks import TASKS

MOST_PAIRS = 3000


def try_one(peer: Peer, pairs: Sequence[TokenPair], *, threads: int, updates: int) -> None:
    """Train and translate, and print what was seen."""
    sources = [source for source, _ in pairs[:20]]
    with tempfile.TemporaryDirectory() as folder:
        peer.prepare(Path(folder) / "work", pairs[20:], pairs[:20])
        rate, memory = peer.train_rate(threads, updates, warm_up=3)
        print(f"{peer.name}: {peer.distribution}, torch {peer.torch_version()}, {rate:,.0f} tokens/s", end=", ")
        print(f"{memory:,.0f} MB", flush=True)
        written = peer.train(Path(folder) / "run", threads, updates=updates, every=max(1, updates // 2))
        for one in written:
            print(f"  {Path(one.path).name} after {one.updates} updates, {one.seconds:.1f} s", flush=True)
        for beam_size in (1, 5):
            seconds, outputs = peer.translate_seconds(
                written[-1].path, sources, beam_size=beam_size, batch_size=10, threads=threads
            )
            print(f"  beam {beam_size}: {seconds:.2f} s, first output: {outputs[0]!r}", flush=True)


def main() -> None:
    """Try each peer."""
    options = parser(__doc__ or "")
    options.add_argument("--peers", type=Path, help="folder of the peers' environments")
    options.add_argument("--updates", type=int, default=20)
    options.add_argument("--only", help="name of the one peer to try")
    given = options.parse_args()
    for name in ("translation", "pronunciation"):
        task = TASKS[name](given.data)
        for peer in installed_peers(given.peers, [peer for peer in task.peers if given.only in (None, peer.name)]):
            try:
                try_one(peer, task.train[:MOST_PAIRS], threads=given.threads, updates=given.updates)
            except PeerUnavailable as reason:
                print(reason, flush=True)


if __name__ == "__main__":
    main()
