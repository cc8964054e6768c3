"""Training: from pairs to a model directory."""

from seq2see.training.ensemble import train_ensemble as train_ensemble
from seq2see.training.processes import Processes as Processes
from seq2see.training.reporter import ConsoleReporter as ConsoleReporter
from seq2see.training.reporter import Reporter as Reporter
from seq2see.training.reporter import SeveralReporters as SeveralReporters
from seq2see.training.reporter import SilentReporter as SilentReporter
from seq2see.training.run import read_all_pairs as read_all_pairs
from seq2see.training.run import train as train
from seq2see.training.run import train_on_pairs as train_on_pairs
from seq2see.training.tensorboard import TensorBoardReporter as TensorBoardReporter
