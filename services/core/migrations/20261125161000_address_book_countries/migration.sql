-- The country of each entry of an address book, so that lists can be filtered by it without a join; kept in step with the
-- address as its name is (migration address_book).

ALTER TABLE customer_addresses ADD COLUMN country_code text;

UPDATE customer_addresses SET country_code = addresses.country_code FROM addresses
  WHERE addresses.environment_id = customer_addresses.environment_id AND addresses.id = customer_addresses.address_id;

CREATE OR REPLACE FUNCTION name_customer_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT name_of_address(addresses), addresses.country_code INTO NEW.name, NEW.country_code FROM addresses
    WHERE environment_id = NEW.environment_id AND id = NEW.address_id;
  NEW.name := coalesce(NEW.name, '');
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION rename_customer_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_addresses SET name = name_of_address(NEW), country_code = NEW.country_code
    WHERE environment_id = NEW.environment_id AND address_id = NEW.id;
  RETURN NULL;
END $$;
