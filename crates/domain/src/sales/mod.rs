//! What tills sold: reading, checking and summing it.
