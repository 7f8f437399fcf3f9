"""Printers: a lowered program in, the text of a compiler's language out."""
