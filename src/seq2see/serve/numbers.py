"""What a server tells of itself, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TEXTS = (1, 2, 4, 8, 16, 32, 64, 128)


class Numbers:
    """Counts requests, their time and the texts that are searched together."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.requests = Counter("seq2see_requests", "Requests", ["path", "status"], registry=registry)
        self.seconds = Histogram(
            "seq2see_request_seconds", "From request to answer", ["path"], buckets=SECONDS, registry=registry
        )
        self.texts = Histogram(
            "seq2see_batch_texts", "Texts that are searched together", buckets=TEXTS, registry=registry
        )
        self.waiting = Gauge("seq2see_waiting_texts", "Texts that wait", registry=registry)

    def text(self) -> bytes:
        """All of it in the format of Prometheus."""
        return generate_latest(self.registry)
