-- The authenticator app of a user.
CREATE TABLE "second_factors" (
  "user_id" TEXT PRIMARY KEY REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- The shared secret, for the keys of SECRETS_KEY only.
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "confirmed_at" TIMESTAMPTZ(6),
  -- The time step of the last code that was taken: none up to it is good again.
  "last_step" BIGINT NOT NULL DEFAULT 0
);

-- Codes for whoever lost the app; each is used once.
CREATE TABLE "recovery_codes" (
  "user_id" TEXT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hash" TEXT NOT NULL,
  PRIMARY KEY ("user_id", "hash")
);
