-- Questions to metrics that a user keeps, for each mode by itself (docs/adr/0121).
CREATE TABLE "saved_questions" (
  "id" BIGSERIAL PRIMARY KEY,
  "user_id" BIGINT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
  "mode" "mode" NOT NULL,
  "name" TEXT NOT NULL,
  "question" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "reference" TEXT,
  "reference_origin" TEXT,
  "metadata" JSONB NOT NULL DEFAULT '{}',
  CONSTRAINT "saved_questions_metadata_object" CHECK (jsonb_typeof("metadata") = 'object')
);

CREATE INDEX "saved_questions_user_id_mode_id_idx" ON "saved_questions" ("user_id", "mode", "id");
