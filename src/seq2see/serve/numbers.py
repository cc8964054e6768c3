"""What a server tells of itself, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TEXTS = (1, 2, 4, 8, 16, 32, 64, 128)


class Numbers:
    """Counts requests, their time and the texts that are searched together.

    Args:
        shared: Whether several processes serve, which then answer for all of them.
    """

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared
        registry = self.registry = CollectorRegistry()
        self.requests = Counter("seq2see_requests", "Requests", ["path", "status"], registry=registry)
        self.seconds = Histogram(
            "seq2see_request_seconds", "From request to answer", ["path"], buckets=SECONDS, registry=registry
        )
        self.texts = Histogram(
            "seq2see_batch_texts", "Texts that are searched together", buckets=TEXTS, registry=registry
        )
        self.waiting = Gauge("seq2see_waiting_texts", "Texts that wait", registry=registry, multiprocess_mode="livesum")

    def searched(self, count: int, waiting: int) -> None:
        """Count texts that are searched together.

        Args:
            count: How many.
            waiting: How many wait meanwhile.
        """
        self.texts.observe(count)
        self.waiting.set(waiting)

    def text(self) -> bytes:
        """All of it in the format of Prometheus."""
        if not self.shared:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
