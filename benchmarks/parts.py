"""Where the time of a training update goes: products, element-wise work, copies, optimiser.

By torch's profiler, which counts each operation's own time; what it does not see is the rest.
"""

import time
from collections import Counter

import torch
from machine import count_products, products_per_second
from running import parser
from tasks import TASKS
from torch.profiler import ProfilerActivity, profile
from train_speed import batches, prepared_for

from seq2see.linear import reduce_products
from seq2see.training import Processes
from seq2see.training.learner import Learner

PARTS = {
    "matrix products": (
        "aten::mm",
        "aten::addmm",
        "aten::bmm",
        "aten::baddbmm",
        "onednn",
        "mkldnn_linear",
        "linear_relu",
    ),
    "the encoder's recurrence": ("lstm", "mkldnn_rnn", "gru"),
    "optimiser": ("adam",),
    "clipping": ("norm", "foreach"),
    "copies": ("copy", "cat", "clone", "contiguous", "index", "gather", "scatter", "embedding", "fill", "zero"),
    "dropout's random numbers": ("random", "bernoulli"),
    "softmax": ("softmax", "exp", "logsumexp"),
    "other element-wise work": ("",),
}
"""What the name of an operation holds; the first part that fits has it."""


def part_of(name: str) -> str:
    """The part to which an operation belongs."""
    return next(part for part, words in PARTS.items() if any(word in name.lower() for word in words))


def main() -> None:
    """Profile some updates, and print a table."""
    options = parser(__doc__ or "")
    options.add_argument("--task", choices=list(TASKS), default="translation", help="of the data in --data")
    options.add_argument("--precision", choices=["float32", "bfloat16"], default="bfloat16")
    options.add_argument("--updates", type=int, default=10)
    options.add_argument("--sentences", type=int, help="in a batch, about")
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    task = TASKS[given.task](given.data)
    prepared = prepared_for(task, [])
    model = prepared.bundle.model
    learner = Learner(model, prepared.bundle.config, Processes())
    reduce_products(model, given.precision == "bfloat16")
    all_work = batches(prepared, given.sentences or task.settings.batch, given.updates, given.seed)
    for work in all_work:  # to warm up
        learner.update(work, rate=1e-3, number=0)
    start = time.perf_counter()
    for work in all_work:
        learner.update(work, rate=1e-3, number=0)
    seconds = time.perf_counter() - start
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        for work in all_work:
            learner.update(work, rate=1e-3, number=0)
    spent: Counter[str] = Counter()
    for event in profiled.key_averages():
        spent[part_of(event.key)] += event.self_cpu_time_total
    products = sum(count_products(model, work.batches[0]) for work in all_work)
    share = products / seconds / products_per_second(torch.bfloat16)
    print(f"{given.task}, {given.precision}: {1000 * seconds / len(all_work):.0f} ms an update,", end=" ")
    print(f"{100 * share:.0f} % of the limit of bfloat16 products")
    print("| part | % of the time |\n|---|---|")
    for part in PARTS:
        print(f"| {part} | {100 * spent[part] / spent.total():.1f} |")


if __name__ == "__main__":
    main()
