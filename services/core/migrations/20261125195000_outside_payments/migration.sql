-- Money that an outside gateway moves (docs/adr/0093): where the attempt is, and the order that waits for it.
ALTER TABLE transactions
  ADD COLUMN attempt text
    CONSTRAINT transactions_attempt_check CHECK (attempt IN ('asking', 'answered', 'pending', 'unknown', 'unwanted', 'late')),
  ADD COLUMN attempted_at timestamptz(3),
  ADD COLUMN attempts_count integer NOT NULL DEFAULT 0
    CONSTRAINT transactions_attempts_count_check CHECK (attempts_count >= 0),
  ADD COLUMN action_id text;
CREATE INDEX transactions_attempted_at_idx ON transactions (attempted_at) WHERE attempt IS NOT NULL;
CREATE UNIQUE INDEX transactions_payment_gateway_id_action_id_key
  ON transactions (environment_id, payment_gateway_id, action_id) WHERE action_id IS NOT NULL;

ALTER TABLE orders ADD COLUMN open_transaction_id bigint;
