CREATE INDEX CONCURRENTLY customers_text_search_idx ON customers USING gin (email gin_trgm_ops);
