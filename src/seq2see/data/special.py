"""The reserved symbols; their ids are the same in every vocabulary."""

PAD, UNK, BOS, EOS = 0, 1, 2, 3

RESERVED = ("<pad>\n", "<unk>\n", "<s>\n", "</s>\n")
"""Names in id order. Each ends in a line feed, which no line of data can hold: text such as ``<unk>`` or
``</s>`` in the data is an ordinary token."""

NEVER_PRODUCED = (PAD, UNK, BOS)
"""What search may never emit."""
