"""Whether the peers still install, train and translate: a few updates of each, and what they then say.

Run ``python benchmarks/try_peers.py --peers FOLDER --data data``; the speeds it prints come from too few updates to
be compared.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from peers.joeynmt import JoeyNMT
from peers.opennmt import OpenNMT
from peers.peer import CHARACTERS, TRANSLATION, Peer, PeerUnavailable, installed_peers
from peers.token_lines import LineTokenizer, TokenPair, token_pairs
from peers.yoyodyne import Yoyodyne
from running import parser

from seq2see.data.pairs import Pair, read_tsv


def translation_pairs(data: Path) -> list[TokenPair]:
    """The first German–English pairs of Multi30k, by BPE."""
    sides = [(data / "multi30k" / f"train.{side}").read_text(encoding="utf-8").splitlines() for side in ("de", "en")]
    pairs = [Pair(*pair) for pair in zip(*sides, strict=True)]
    source = LineTokenizer([pair.source for pair in pairs], "bpe", 8000)
    target = LineTokenizer([pair.target for pair in pairs], "bpe", 8000)
    return token_pairs(pairs[:3000], source, target)


def pronunciation_pairs(data: Path) -> list[TokenPair]:
    """French words and their phones."""
    pairs = read_tsv(data / "sigmorphon2020_g2p" / "train" / "fre_train.tsv")
    source = LineTokenizer([pair.source for pair in pairs], "char")
    target = LineTokenizer([pair.target for pair in pairs], "space")
    return token_pairs(pairs, source, target)


def try_one(peer: Peer, pairs: Sequence[TokenPair], *, threads: int, updates: int) -> None:
    """Train and translate, and print what was seen."""
    sources = [source for source, _ in pairs[:20]]
    with tempfile.TemporaryDirectory() as folder:
        peer.prepare(Path(folder) / "work", pairs[20:], pairs[:20])
        rate = peer.train_rate(threads, updates, warm_up=3)
        print(f"{peer.name}: {peer.distribution}, torch {peer.torch_version()}, {rate:,.0f} tokens/s", flush=True)
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
    peers: list[Peer] = [OpenNMT(TRANSLATION), JoeyNMT(TRANSLATION), Yoyodyne(CHARACTERS)]
    for peer in installed_peers(given.peers, [peer for peer in peers if given.only in (None, peer.name)]):
        pairs = pronunciation_pairs(given.data) if peer.name == "yoyodyne" else translation_pairs(given.data)
        try:
            try_one(peer, pairs, threads=given.threads, updates=given.updates)
        except PeerUnavailable as reason:
            print(reason, flush=True)


if __name__ == "__main__":
    main()
