"""The exceptions of seq2see.

::

    Seq2SeeError                 base of all; the command line prints its text and exits with 2
    ├── ConfigError              a key, type or value of the configuration
    ├── DataError                a file of pairs: missing, undecodable, wrong columns, unequal lengths
    ├── BundleError              a model directory: missing, foreign or damaged file
    ├── OutputError              a place that cannot be written: permission, full disk, already taken
    └── ModelError               a model whose numbers are not finite

Every message says where (file, line, field), what was found and what was wanted.
"""


class Seq2SeeError(Exception):
    """Base of all faults that the user can mend; the text is the whole explanation."""


class ConfigError(Seq2SeeError):
    """A configuration key or value is not usable."""


class DataError(Seq2SeeError):
    """A data file cannot be read as pairs."""


class BundleError(Seq2SeeError):
    """A model directory cannot be read."""


class OutputError(Seq2SeeError):
    """A result cannot be written where it was asked for."""


class ModelError(Seq2SeeError):
    """A model gives numbers that are not finite, and so no result."""
