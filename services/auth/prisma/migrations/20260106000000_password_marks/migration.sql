-- Null in families of before, which no later password ends by itself.
ALTER TABLE "refresh_families" ADD COLUMN "password_mark" TEXT;
