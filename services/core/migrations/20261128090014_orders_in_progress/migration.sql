-- What is to be shipped, among all orders that ever were: few, and asked for again and again.
CREATE INDEX CONCURRENTLY orders_in_progress_idx ON orders (environment_id, id) WHERE fulfillment_status = 'in_progress';
