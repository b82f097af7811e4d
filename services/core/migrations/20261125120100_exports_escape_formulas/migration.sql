-- Whether a CSV export writes texts so that a spreadsheet does not run them as formulas.
ALTER TABLE exports ADD COLUMN escape_formulas boolean NOT NULL DEFAULT true;
