"""Files of pairs, tokens, batches."""
