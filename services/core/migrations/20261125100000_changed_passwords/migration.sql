-- Customers whose password was set while tokens of an earlier sign-in may be alive (docs/adr/0069-a-customers-new-password.md).
-- Written just before the commit, so that no sign-in with the old password comes after it.
CREATE TABLE changed_passwords (
  environment_id bigint NOT NULL,
  customer_id bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  transaction_id bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  CONSTRAINT changed_passwords_pkey PRIMARY KEY (environment_id, customer_id),
  CONSTRAINT changed_passwords_environment_fkey FOREIGN KEY (environment_id) REFERENCES environments (id)
);
CREATE INDEX changed_passwords_transaction_id_idx ON changed_passwords (transaction_id);
CREATE INDEX changed_passwords_changed_at_idx ON changed_passwords (changed_at);

CREATE FUNCTION record_changed_password() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changed_passwords (environment_id, customer_id) VALUES (NEW.environment_id, NEW.id)
  ON CONFLICT (environment_id, customer_id) DO UPDATE
    SET changed_at = excluded.changed_at, transaction_id = excluded.transaction_id;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER record_password AFTER UPDATE OF password_hash ON customers
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash)
  EXECUTE FUNCTION record_changed_password();
