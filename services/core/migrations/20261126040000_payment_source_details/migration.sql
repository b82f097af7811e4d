-- What may be shown of the payment source of an order: its type, and what its gateway said about the card or account. It is taken when
-- the order gets the source, and stays as it was then (ADR 101).

CREATE FUNCTION detail_payment_source() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  instrument jsonb;
BEGIN
  IF NEW.payment_source_id IS NULL THEN
    NEW.payment_source_details := NULL;
    RETURN NEW;
  END IF;
  IF NEW.payment_source_type = 'external_payments' THEN
    SELECT payment_instrument INTO instrument FROM external_payments
      WHERE environment_id = NEW.environment_id AND id = NEW.payment_source_id;
  ELSIF NEW.payment_source_type = 'wire_transfers' THEN
    SELECT payment_instrument INTO instrument FROM wire_transfers
      WHERE environment_id = NEW.environment_id AND id = NEW.payment_source_id;
  END IF;
  NEW.payment_source_details := jsonb_build_object('type', NEW.payment_source_type)
    || CASE WHEN instrument IS NULL THEN '{}' ELSE jsonb_build_object('payment_instrument', instrument) END;
  RETURN NEW;
END $$;

CREATE TRIGGER detail_new_payment_source BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.payment_source_id IS NOT NULL AND NEW.payment_source_details IS NULL)
  EXECUTE FUNCTION detail_payment_source();

CREATE TRIGGER detail_payment_source BEFORE UPDATE OF payment_source_type, payment_source_id ON orders FOR EACH ROW
  WHEN (OLD.payment_source_id IS DISTINCT FROM NEW.payment_source_id
    OR OLD.payment_source_type IS DISTINCT FROM NEW.payment_source_type)
  EXECUTE FUNCTION detail_payment_source();
