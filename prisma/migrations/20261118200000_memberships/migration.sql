-- A user belongs to accounts, in each with a role. The users of today own the account that they registered.
CREATE TABLE "memberships" (
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "user_id" TEXT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'admin', 'analyst', 'billing')),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("account_id", "user_id")
);
CREATE INDEX "memberships_user_id_idx" ON "memberships" ("user_id");
INSERT INTO "memberships" ("account_id", "user_id", "role", "created_at")
SELECT "account_id", "id", 'owner', "created_at" FROM "users";

-- The account that a login is in. Sessions of earlier releases are in the account of their user.
ALTER TABLE "sessions" ADD COLUMN "account_id" TEXT;
