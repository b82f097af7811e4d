CREATE TABLE "withdrawn_keys" (
  "kid" TEXT NOT NULL PRIMARY KEY CHECK ("kid" ~ '^[0-9a-f]{64}$'),
  "state_version" BIGINT NOT NULL,
  "withdrawn_at" TIMESTAMPTZ(3) NOT NULL,
  -- When even a verifier that heard of nothing else has asked for the keys again many times over.
  "expires_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "withdrawn_keys_state_version_idx" ON "withdrawn_keys" ("state_version");
CREATE INDEX "withdrawn_keys_expires_at_idx" ON "withdrawn_keys" ("expires_at");
