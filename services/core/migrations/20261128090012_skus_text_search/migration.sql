CREATE INDEX CONCURRENTLY skus_text_search_idx ON skus USING gin (code gin_trgm_ops, name gin_trgm_ops);
