-- Idempotency keys whose write is waiting for a service outside, where it holds no transaction and so no advisory lock
-- (docs/adr/0096-idempotency-keys.md). Who holds one renews it before each call; after a crash it is over by `held_until`.
CREATE TABLE idempotency_claims (
  environment_id bigint NOT NULL,
  key_hash bytea NOT NULL,
  holder uuid NOT NULL,
  held_until timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_claims_pkey PRIMARY KEY (environment_id, key_hash)
);
