-- Tax calculators of the shop's own, which are asked outside.
ALTER TABLE tax_calculators
  DROP CONSTRAINT tax_calculators_type_check,
  ADD COLUMN tax_calculator_url text,
  ADD COLUMN circuit_state text NOT NULL DEFAULT 'closed'
    CONSTRAINT tax_calculators_circuit_state_check CHECK (circuit_state IN ('closed', 'open')),
  ADD COLUMN circuit_failure_count integer NOT NULL DEFAULT 0
    CONSTRAINT tax_calculators_circuit_failure_count_check CHECK (circuit_failure_count >= 0),
  ADD COLUMN shared_secret text NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  ADD COLUMN external_includes jsonb NOT NULL DEFAULT '[]'
    CONSTRAINT tax_calculators_external_includes_check CHECK (jsonb_typeof(external_includes) = 'array');
ALTER TABLE tax_calculators
  ADD CONSTRAINT tax_calculators_type_check CHECK (type IN ('manual_tax_calculators', 'external_tax_calculators'));
