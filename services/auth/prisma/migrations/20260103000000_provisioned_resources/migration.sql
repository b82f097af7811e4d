-- What every provisioned resource has besides its own attributes: when it last changed, and what its owners note on it.
DO $$
DECLARE
  name text;
BEGIN
  ALTER TABLE "permissions" ADD COLUMN "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
  FOREACH name IN ARRAY ARRAY['organizations', 'roles', 'permissions', 'users', 'credentials'] LOOP
    EXECUTE format(
      'ALTER TABLE %I
        ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
        ADD COLUMN "reference" TEXT,
        ADD COLUMN "reference_origin" TEXT,
        ADD COLUMN "metadata" JSONB NOT NULL DEFAULT ''{}'',
        ADD CONSTRAINT %I CHECK (jsonb_typeof("metadata") = ''object'')',
      name, name || '_metadata_object');
    EXECUTE format('UPDATE %I SET "updated_at" = "created_at"', name);
  END LOOP;
END $$;

-- Provisioning over HTTP asks by which grant a token came.
CREATE INDEX "refresh_tokens_access_token_id_idx" ON "refresh_tokens" ("access_token_id");
