-- The release of 2026-11-24 stores emails of orders and addresses as they are sent, also while this one already looks for the form of
-- the migration emails_in_one_form. Until the next release both are stored in that form, whichever of the two writes.
CREATE FUNCTION write_customer_email_in_one_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.customer_email := lower(normalize(NEW.customer_email));
  RETURN NEW;
END $$;
CREATE TRIGGER write_email_in_one_form BEFORE INSERT OR UPDATE OF customer_email ON orders FOR EACH ROW
  WHEN (NEW.customer_email <> lower(normalize(NEW.customer_email)))
  EXECUTE FUNCTION write_customer_email_in_one_form();

CREATE FUNCTION write_email_in_one_form() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.email := lower(normalize(NEW.email));
  RETURN NEW;
END $$;
CREATE TRIGGER write_email_in_one_form BEFORE INSERT OR UPDATE OF email ON addresses FOR EACH ROW
  WHEN (NEW.email <> lower(normalize(NEW.email)))
  EXECUTE FUNCTION write_email_in_one_form();

UPDATE orders SET customer_email = lower(normalize(customer_email))
WHERE customer_email <> lower(normalize(customer_email));
UPDATE addresses SET email = lower(normalize(email))
WHERE email <> lower(normalize(email));
