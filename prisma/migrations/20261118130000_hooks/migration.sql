-- Sign-up hooks: URLs that an auth provider calls, each with the key that its checks are charged to.
CREATE TABLE "hooks" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('supabase', 'workos', 'kratos', 'auth0', 'clerk', 'generic')),
  "key_id" TEXT NOT NULL REFERENCES "api_keys" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "refuse" TEXT[] NOT NULL,
  "on_error" TEXT NOT NULL CHECK ("on_error" IN ('allow', 'refuse')),
  "message" TEXT NOT NULL,
  -- Encrypted with SECRETS_KEY and bound to the hook's id.
  "secret" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "hooks_account_id_idx" ON "hooks" ("account_id");
CREATE INDEX "hooks_key_id_idx" ON "hooks" ("key_id");
