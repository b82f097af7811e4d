-- What other systems look records up by: the reference they gave, and the email of an order, which guests have without
-- being customers (docs/adr/0029-lists-of-other-types.md). Rows without one cost nothing.
CREATE INDEX skus_reference_idx ON skus (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX prices_reference_idx ON prices (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX stock_items_reference_idx ON stock_items (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX customers_reference_idx ON customers (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX addresses_reference_idx ON addresses (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX orders_reference_idx ON orders (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX line_items_reference_idx ON line_items (environment_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX orders_customer_email_idx ON orders (environment_id, customer_email, id) WHERE customer_email IS NOT NULL;
