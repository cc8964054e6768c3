"""From raw text to outputs with scores and alignments."""

from seq2see.inference.forced import ForcedScore as ForcedScore
from seq2see.inference.forced import Likelihood as Likelihood
from seq2see.inference.steps import Alternative as Alternative
from seq2see.inference.steps import Step as Step
from seq2see.inference.translation import Translation as Translation
from seq2see.inference.translator import DECODING_BATCH_TOKENS as DECODING_BATCH_TOKENS
from seq2see.inference.translator import Translator as Translator
from seq2see.inference.translator import load as load
from seq2see.inference.translator import load_ensemble as load_ensemble
