-- The customer's own proxy, which nearly all checks of a day came from: a keyed fingerprint, never the IP, and the day.
ALTER TABLE "accounts"
  ADD COLUMN "own_proxy" TEXT,
  ADD COLUMN "own_proxy_day" DATE;
