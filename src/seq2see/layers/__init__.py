"""Parts that know nothing of source and target."""

from seq2see.layers.lstm_cell import LSTMCell as LSTMCell
