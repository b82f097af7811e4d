-- Imports stored passwords as they were sent. They are removed; imports store them encrypted from now on
-- (docs/adr/0024-imports-and-exports.md). What had not ended is interrupted, because its passwords are gone.
UPDATE imports SET
  status = 'interrupted',
  interrupted_at = now(),
  errors_log = errors_log || '{"import": {"base": ["was interrupted by an upgrade that removed its passwords; import it again"]}}'
WHERE status IN ('pending', 'in_progress')
  AND ((resource_type = 'customers' AND jsonb_path_exists(inputs, '$[*].password'))
    OR (resource_type = 'orders' AND jsonb_path_exists(inputs, '$[*].customer_password')));

UPDATE imports SET inputs = (
  SELECT coalesce(jsonb_agg(item - 'password' ORDER BY position), '[]')
  FROM jsonb_array_elements(inputs) WITH ORDINALITY AS items (item, position))
WHERE resource_type = 'customers' AND jsonb_path_exists(inputs, '$[*].password');

UPDATE imports SET inputs = (
  SELECT coalesce(jsonb_agg(item - 'customer_password' ORDER BY position), '[]')
  FROM jsonb_array_elements(inputs) WITH ORDINALITY AS items (item, position))
WHERE resource_type = 'orders' AND jsonb_path_exists(inputs, '$[*].customer_password');
