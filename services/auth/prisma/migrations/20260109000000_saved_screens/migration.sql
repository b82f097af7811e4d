-- Which screen of the console a saved question is of: one to metrics, or a view of the list of orders (docs/adr/0121).
ALTER TABLE "saved_questions" ADD COLUMN "screen" TEXT NOT NULL DEFAULT 'metrics';
