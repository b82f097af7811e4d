-- Writes that were sent with an Idempotency-Key, and their answers (docs/adr/0096-idempotency-keys.md). `key_hash` is made of the
-- application, the owner and the key; the key itself is not here. The answer is sealed with the key of core. For a row
-- that was written by one statement it is rendered again from `written_row`, which holds nothing that the row's own table does not.
CREATE TABLE idempotency_keys (
  environment_id bigint NOT NULL,
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  answer text,
  written_row jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (environment_id, key_hash),
  CONSTRAINT idempotency_keys_answer_check CHECK ((answer IS NULL) <> (written_row IS NULL))
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);
