-- The Verdict client that used a key last, and how many values of `ip` the clients of a key left out.
ALTER TABLE "api_keys"
  ADD COLUMN "client" TEXT,
  ADD COLUMN "dropped_ips" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "dropped_ips_at" TIMESTAMPTZ(6);
