-- Customers that are gone while tokens that speak for them may be alive (src/store/deleted-customers.ts). Numbers only:
-- nothing of the person is kept.
CREATE TABLE deleted_customers (
  environment_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  transaction_id bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  CONSTRAINT deleted_customers_pkey PRIMARY KEY (environment_id, customer_id),
  CONSTRAINT deleted_customers_environment_fkey FOREIGN KEY (environment_id) REFERENCES environments (id)
);
CREATE INDEX deleted_customers_transaction_id_idx ON deleted_customers (transaction_id);
CREATE INDEX deleted_customers_deleted_at_idx ON deleted_customers (deleted_at);

CREATE FUNCTION record_customer_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_customers (environment_id, customer_id)
  SELECT environment_id, id FROM deleted_rows
  ON CONFLICT (environment_id, customer_id) DO UPDATE
    SET deleted_at = excluded.deleted_at, transaction_id = excluded.transaction_id;
  RETURN NULL;
END $$;

CREATE TRIGGER record_delete AFTER DELETE ON customers REFERENCING OLD TABLE AS deleted_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_customer_deletions();
