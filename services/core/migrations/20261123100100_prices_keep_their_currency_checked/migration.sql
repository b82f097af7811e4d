-- See prices_keep_their_currency; apart from it, so that the lock of the change is gone before every row is read.
ALTER TABLE prices VALIDATE CONSTRAINT prices_price_list_fkey;
