"""Drawing alignments: heat map, lines, a page, and a terminal."""

from seq2see.plotting.heatmap import heatmap as heatmap
from seq2see.plotting.lines import lines as lines
from seq2see.plotting.page import page as page
from seq2see.plotting.save import save_plot as save_plot
from seq2see.plotting.terminal import grid as grid
from seq2see.plotting.terminal import links_line as links_line
