"""``python -m seq2see``."""

from seq2see.cli.main import main

main()
