-- Types that resources refer to and that are not built yet (src/resources/planned-types.ts) are read from this table,
-- which is empty and stays so: every query that crosses such a relationship works and finds nothing.
CREATE TABLE planned_records (
  id bigint NOT NULL,
  environment_id bigint NOT NULL,
  owner_id bigint,
  target_id bigint,
  reference text,
  reference_origin text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT planned_records_pkey PRIMARY KEY (environment_id, id),
  CONSTRAINT planned_records_environment_fkey FOREIGN KEY (environment_id) REFERENCES environments (id),
  CONSTRAINT planned_records_empty_check CHECK (false)
);

-- Relationships to them that can be written have their column; the foreign key comes with the table of the type.
ALTER TABLE markets
  ADD COLUMN subscription_model_id bigint,
  ADD COLUMN discount_engine_id bigint,
  ADD COLUMN tax_calculator_id bigint,
  ADD COLUMN geocoder_id bigint;
ALTER TABLE addresses ADD COLUMN geocoder_id bigint;
