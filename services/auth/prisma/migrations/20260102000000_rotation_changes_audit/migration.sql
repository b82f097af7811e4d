ALTER TABLE "signing_keys" ADD COLUMN "activates_at" TIMESTAMPTZ(3);

CREATE TYPE "access_subject" AS ENUM ('application', 'user');

CREATE TABLE "access_changes" (
  "subject_type" "access_subject" NOT NULL,
  -- No foreign key: a deleted credential's tokens are still to be refused.
  "subject_id" BIGINT NOT NULL,
  "revoked_before" TIMESTAMPTZ(3),
  "role_id" BIGINT,
  "state_version" BIGINT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("subject_type", "subject_id")
);
CREATE INDEX "access_changes_state_version_idx" ON "access_changes" ("state_version");
CREATE INDEX "access_changes_expires_at_idx" ON "access_changes" ("expires_at");

CREATE TYPE "actor_kind" AS ENUM ('operator', 'client', 'user', 'system');

CREATE TABLE "audit_events" (
  "id" BIGSERIAL PRIMARY KEY,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "actor_kind" "actor_kind" NOT NULL,
  "actor" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "subject_type" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "organization_id" TEXT,
  "request_id" TEXT,
  "details" JSONB NOT NULL DEFAULT '{}',
  CONSTRAINT "audit_events_action_form" CHECK ("action" ~ '^[a-z_]+\.[a-z_]+$'),
  CONSTRAINT "audit_events_details_size" CHECK (length("details"::text) <= 16384)
);
CREATE INDEX "audit_events_organization_id_id_idx" ON "audit_events" ("organization_id", "id");
CREATE INDEX "audit_events_subject_type_subject_id_id_idx" ON "audit_events" ("subject_type", "subject_id", "id");

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
