"""Parts that know nothing of source and target."""

from seq2see.layers.dropout import Dropout as Dropout
from seq2see.layers.embedding import Embedding as Embedding
from seq2see.layers.feed_forward import FeedForward as FeedForward
from seq2see.layers.gru import GRUCell as GRUCell
from seq2see.layers.lstm import LSTMCell as LSTMCell
from seq2see.layers.positions import sinusoids as sinusoids
from seq2see.layers.recurrent_cell import RecurrentCell as RecurrentCell
from seq2see.layers.rnn import RNNCell as RNNCell
from seq2see.layers.stacked import StackedCells as StackedCells
