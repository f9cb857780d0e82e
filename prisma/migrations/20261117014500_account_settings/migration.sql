-- Switches of an account. Bursts change scores, so accounts that exist keep them off and new ones have them on.
ALTER TABLE "accounts"
  ADD COLUMN "bursts" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "ip_intelligence" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "accounts" ALTER COLUMN "bursts" SET DEFAULT true;
