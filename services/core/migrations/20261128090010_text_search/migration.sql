-- Texts are found by what stands inside them, however many rows there are (docs/adr/0123-texts-are-found-by-trigrams.md).
CREATE EXTENSION IF NOT EXISTS pg_trgm;
