-- SKUs in the order of their codes, with the number in the index: skipping to a page in the middle reads the index alone,
-- where the unique key would look at every row before it (docs/adr/0029-lists-of-other-types.md).
CREATE INDEX skus_code_id_idx ON skus (environment_id, code, id);
