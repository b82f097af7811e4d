CREATE INDEX CONCURRENTLY orders_text_search_idx ON orders
  USING gin (number gin_trgm_ops, customer_email gin_trgm_ops, reference gin_trgm_ops);
