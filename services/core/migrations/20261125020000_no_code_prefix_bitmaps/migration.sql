-- The bitmaps of code prefixes are gone (docs/adr/0071-bitmap-index-and-response-cache.md): the index on lower(code)
-- answers filter[q][code_start].
-- contract: the release before this one still calls the four functions below. They stay until the next release and say that
-- no prefix has bitmaps, so it reads the rows, as it did for prefixes that few codes have.

-- Nobody maintains bitmaps while they are dropped.
SELECT kept.lock_upkeep();

DROP TRIGGER kept_codes_insert ON skus;
DROP TRIGGER kept_codes_delete ON skus;
DROP TRIGGER kept_codes_update ON skus;
DROP TRIGGER kept_codes_truncate ON skus;

CREATE OR REPLACE FUNCTION kept.is_code_start(environment bigint, code_start text) RETURNS boolean
LANGUAGE sql STABLE AS 'SELECT false';
CREATE OR REPLACE FUNCTION kept.code_start_members(environment bigint, code_start text)
RETURNS TABLE (block bigint, bits bit) LANGUAGE sql STABLE AS 'SELECT 0::bigint, B''0'' WHERE false';
CREATE OR REPLACE FUNCTION kept.keep_code_start(environment bigint, code_start text, codes_min integer, starts_max integer)
RETURNS void LANGUAGE sql AS '';
CREATE OR REPLACE FUNCTION kept.fold_codes() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint';

DROP FUNCTION kept.note_codes(), kept.note_changed_code(), kept.forget_code_starts(),
  kept.code_start_differences(), kept.code_start_changes(bigint, text);
DROP TABLE kept.code_start_bits, kept.code_starts, kept.code_changes;
