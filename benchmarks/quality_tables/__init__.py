"""The tables of results, in the order of the page."""

from quality_tables import captions, compression, g2p, gains, inflection, names, program_strings, sentences, verses
from quality_tables.table import DataSet as DataSet
from quality_tables.table import Recipe as Recipe
from quality_tables.table import Scores as Scores
from quality_tables.table import Table as Table

TABLES = {
    table.name: table
    for table in (
        g2p.TABLE,
        gains.TABLE,
        inflection.TABLE,
        names.TABLE,
        captions.GERMAN,
        captions.FRENCH,
        sentences.TABLE,
        verses.TABLE,
        program_strings.TABLE,
        compression.TABLE,
    )
}
