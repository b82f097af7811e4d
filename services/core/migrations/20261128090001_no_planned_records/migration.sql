-- Every type has a table of its own; this one was always empty. A view without rows stands in its place, because the release
-- before reads it while the two run side by side; a later one drops it.
-- contract: no row was ever written to planned_records
DROP TABLE planned_records;
CREATE VIEW planned_records AS
  SELECT NULL::bigint AS id, NULL::bigint AS environment_id, NULL::bigint AS owner_id, NULL::bigint AS target_id,
    NULL::text AS reference, NULL::text AS reference_origin, '{}'::jsonb AS metadata,
    NULL::timestamptz(3) AS created_at, NULL::timestamptz(3) AS updated_at
  WHERE false;
