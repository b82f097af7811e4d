-- The addresses of a geocoder, also when it is deleted. Alone in its file, because it refuses a transaction.
CREATE INDEX CONCURRENTLY addresses_geocoder_id_idx ON addresses (environment_id, geocoder_id, id) WHERE geocoder_id IS NOT NULL;
