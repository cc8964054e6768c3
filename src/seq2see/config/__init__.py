"""The configuration: what can be chosen, and reading the choices. Imports no torch."""

from seq2see.config.loading import chosen as chosen
from seq2see.config.loading import dump_config as dump_config
from seq2see.config.loading import left_open as left_open
from seq2see.config.loading import load_config as load_config
from seq2see.config.loading import parse_config as parse_config
from seq2see.config.loading import parse_settings as parse_settings
from seq2see.config.loading import replace as replace
from seq2see.config.schema import Config as Config
from seq2see.config.schema import ModelConfig as ModelConfig
from seq2see.config.schema import SearchConfig as SearchConfig
from seq2see.config.schema import SideConfig as SideConfig
