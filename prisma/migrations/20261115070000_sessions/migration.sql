-- A refresh token is made from the one before it and this key, so that a token of long ago can be told from an invented one
-- without keeping every token there ever was. Sessions that are live get a key of their own.
ALTER TABLE "sessions"
  ADD COLUMN "chain_key" TEXT NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  ADD COLUMN "rotations" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The refresh token lies in a cookie of a browser, and nowhere else.
  ADD COLUMN "cookie" BOOLEAN NOT NULL DEFAULT false,
  -- Where the login came from, for its owner to recognise it.
  ADD COLUMN "ip" TEXT,
  ADD COLUMN "user_agent" TEXT;
ALTER TABLE "sessions" ALTER COLUMN "chain_key" DROP DEFAULT;

-- People who run the service: they see accounts and months, never whom a customer has checked.
ALTER TABLE "users" ADD COLUMN "operator" BOOLEAN NOT NULL DEFAULT false;
