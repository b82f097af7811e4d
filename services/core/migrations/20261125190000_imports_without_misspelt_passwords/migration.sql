-- A password under a name that is no attribute, such as a column "Password", was stored as it was sent; its item was refused.
-- Imports keep no such value from now on (services/core/src/bulk/imports/sealed-values.ts).
UPDATE imports SET inputs = (
  SELECT jsonb_agg(
    CASE WHEN jsonb_typeof(item) <> 'object' OR item = '{}' THEN item ELSE (
      SELECT jsonb_object_agg(name, CASE
        WHEN name = 'has_password' THEN value
        WHEN name = 'password' AND resource_type = 'customers' THEN value
        WHEN name = 'customer_password' AND resource_type = 'orders' THEN value
        WHEN name ~* 'passw' THEN 'null'
        ELSE value END)
      FROM jsonb_each(item) AS members (name, value)) END
    ORDER BY position)
  FROM jsonb_array_elements(inputs) WITH ORDINALITY AS items (item, position))
WHERE jsonb_path_exists(inputs, '$[*].keyvalue() ? (@.key like_regex "passw" flag "i")');
