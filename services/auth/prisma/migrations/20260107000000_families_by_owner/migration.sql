CREATE INDEX CONCURRENTLY "refresh_families_owner_id_idx" ON "refresh_families" ("owner_id") WHERE "revoked_at" IS NULL;
