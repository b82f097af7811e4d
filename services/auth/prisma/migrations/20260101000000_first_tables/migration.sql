CREATE TYPE "mode" AS ENUM ('test', 'live');
CREATE TYPE "credential_kind" AS ENUM ('sales_channel', 'integration', 'webapp');
CREATE TYPE "role_kind" AS ENUM ('admin', 'read_only', 'custom');
CREATE TYPE "owner_type" AS ENUM ('Customer', 'User');
CREATE TYPE "signing_key_state" AS ENUM ('next', 'active', 'retired');

CREATE TABLE "organizations" (
  "id" BIGSERIAL PRIMARY KEY,
  "slug" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "is_enterprise" BOOLEAN NOT NULL DEFAULT false,
  "region" TEXT NOT NULL DEFAULT 'eu-west-1',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "organizations_slug_form" CHECK ("slug" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$')
);
CREATE UNIQUE INDEX "organizations_slug_key" ON "organizations" ("slug");

CREATE TABLE "roles" (
  "id" BIGSERIAL PRIMARY KEY,
  "organization_id" BIGINT NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "kind" "role_kind" NOT NULL,
  "state_version" BIGINT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "roles_organization_id_name_key" ON "roles" ("organization_id", "name");
CREATE INDEX "roles_state_version_idx" ON "roles" ("state_version");

CREATE TABLE "permissions" (
  "id" BIGSERIAL PRIMARY KEY,
  "role_id" BIGINT NOT NULL REFERENCES "roles" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "subject" TEXT NOT NULL,
  "can_create" BOOLEAN NOT NULL DEFAULT false,
  "can_read" BOOLEAN NOT NULL DEFAULT false,
  "can_update" BOOLEAN NOT NULL DEFAULT false,
  "can_destroy" BOOLEAN NOT NULL DEFAULT false,
  "restrictions" JSONB NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX "permissions_role_id_subject_key" ON "permissions" ("role_id", "subject");

CREATE TABLE "users" (
  "id" BIGSERIAL PRIMARY KEY,
  "organization_id" BIGINT NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role_id" BIGINT NOT NULL REFERENCES "roles" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "email" TEXT NOT NULL,
  "first_name" TEXT NOT NULL DEFAULT '',
  "last_name" TEXT NOT NULL DEFAULT '',
  "time_zone" TEXT NOT NULL DEFAULT 'UTC',
  "is_owner" BOOLEAN NOT NULL DEFAULT false,
  "password_hash" TEXT NOT NULL,
  "disabled_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "users_organization_id_email_key" ON "users" ("organization_id", "email");

CREATE TABLE "credentials" (
  "id" BIGSERIAL PRIMARY KEY,
  "organization_id" BIGINT NOT NULL REFERENCES "organizations" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role_id" BIGINT REFERENCES "roles" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "mode" "mode" NOT NULL,
  "kind" "credential_kind" NOT NULL,
  "name" TEXT NOT NULL,
  "client_id" TEXT NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "redirect_uri" TEXT,
  "expires_in_seconds" INTEGER,
  "disabled_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Contract, Token lifetime: 2 hours to 15 days.
  CONSTRAINT "credentials_lifetime" CHECK ("expires_in_seconds" BETWEEN 7200 AND 1296000),
  -- Only integrations act with a role of their own, and they always have one.
  CONSTRAINT "credentials_role" CHECK (("kind" = 'integration') = ("role_id" IS NOT NULL)),
  CONSTRAINT "credentials_redirect_uri" CHECK ("kind" <> 'webapp' OR "redirect_uri" IS NOT NULL)
);
CREATE UNIQUE INDEX "credentials_client_id_key" ON "credentials" ("client_id");
CREATE INDEX "credentials_organization_id_mode_idx" ON "credentials" ("organization_id", "mode");

CREATE TABLE "refresh_families" (
  "id" BIGSERIAL PRIMARY KEY,
  "credential_id" BIGINT NOT NULL REFERENCES "credentials" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "owner_type" "owner_type",
  "owner_id" TEXT,
  "scope" TEXT NOT NULL,
  "grant_name" TEXT NOT NULL,
  "custom_claim" TEXT,
  "revoked_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "refresh_families_owner" CHECK (("owner_type" IS NULL) = ("owner_id" IS NULL))
);
CREATE INDEX "refresh_families_credential_id_idx" ON "refresh_families" ("credential_id");

CREATE TABLE "refresh_tokens" (
  "id" BIGSERIAL PRIMARY KEY,
  "family_id" BIGINT NOT NULL REFERENCES "refresh_families" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "parent_id" BIGINT REFERENCES "refresh_tokens" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
  "token_hash" BYTEA NOT NULL,
  "access_token_id" UUID NOT NULL,
  "access_expires_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX "refresh_tokens_token_hash_key" ON "refresh_tokens" ("token_hash");
CREATE INDEX "refresh_tokens_family_id_idx" ON "refresh_tokens" ("family_id");
CREATE INDEX "refresh_tokens_parent_id_idx" ON "refresh_tokens" ("parent_id");
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens" ("expires_at");

CREATE TABLE "revocations" (
  "token_id" UUID PRIMARY KEY,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "state_version" BIGINT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "revocations_state_version_idx" ON "revocations" ("state_version");
CREATE INDEX "revocations_expires_at_idx" ON "revocations" ("expires_at");

CREATE TABLE "access_state" (
  "id" INTEGER PRIMARY KEY DEFAULT 1,
  "version" BIGINT NOT NULL,
  CONSTRAINT "access_state_one_row" CHECK ("id" = 1)
);
INSERT INTO "access_state" ("version") VALUES (1);

CREATE TABLE "signing_keys" (
  "id" BIGSERIAL PRIMARY KEY,
  "kid" TEXT NOT NULL,
  "state" "signing_key_state" NOT NULL,
  "public_jwk" JSONB NOT NULL,
  "private_key_encrypted" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "activated_at" TIMESTAMPTZ(3),
  "retired_at" TIMESTAMPTZ(3),
  "removable_at" TIMESTAMPTZ(3),
  CONSTRAINT "signing_keys_kid_form" CHECK ("kid" ~ '^[0-9a-f]{64}$')
);
CREATE UNIQUE INDEX "signing_keys_kid_key" ON "signing_keys" ("kid");
CREATE UNIQUE INDEX "signing_keys_one_active" ON "signing_keys" ("state") WHERE "state" = 'active';
CREATE UNIQUE INDEX "signing_keys_one_next" ON "signing_keys" ("state") WHERE "state" = 'next';
