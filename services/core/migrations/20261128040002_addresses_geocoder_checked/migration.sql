-- See vendor_accounts; apart from it, so that the lock of the change is gone before every row is read.
ALTER TABLE addresses VALIDATE CONSTRAINT addresses_geocoder_fkey;
