-- The account version at which its own lists last changed: a plan or key change need not carry 20,000 entries to Redis.
ALTER TABLE "accounts" ADD COLUMN "lists_version" INTEGER NOT NULL DEFAULT 0;

-- A password change revokes a user's live sessions; dead ones pile up beside them.
CREATE INDEX "sessions_live_idx" ON "sessions" ("user_id") WHERE "revoked_at" IS NULL;
