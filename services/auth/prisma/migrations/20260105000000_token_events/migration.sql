CREATE TYPE "token_outcome" AS ENUM ('issued', 'refused');

-- What the token endpoint answered. Pruned by age and number, unlike audit_events, which only grows.
CREATE TABLE "token_events" (
  "id" BIGSERIAL PRIMARY KEY,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "outcome" "token_outcome" NOT NULL,
  "grant_name" TEXT,
  "error" TEXT,
  "client_id" TEXT,
  "organization_id" TEXT,
  "owner_type" "owner_type",
  "owner_id" TEXT,
  "token_id" UUID,
  "origin" TEXT NOT NULL,
  "request_id" TEXT,
  "count" INTEGER NOT NULL DEFAULT 1 CHECK ("count" >= 1),
  CONSTRAINT "token_events_either" CHECK (("outcome" = 'issued') = ("token_id" IS NOT NULL)
    AND ("outcome" = 'refused') = ("error" IS NOT NULL))
);
CREATE INDEX "token_events_client_id_id_idx" ON "token_events" ("client_id", "id");
CREATE INDEX "token_events_organization_id_id_idx" ON "token_events" ("organization_id", "id");
CREATE INDEX "token_events_occurred_at_idx" ON "token_events" ("occurred_at");
