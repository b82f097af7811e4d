-- Emails are stored in the form in which they are compared; filters look for that form. Emails of customers already are.
UPDATE orders SET customer_email = lower(normalize(customer_email))
WHERE customer_email <> lower(normalize(customer_email));

UPDATE addresses SET email = lower(normalize(email))
WHERE email <> lower(normalize(email));
