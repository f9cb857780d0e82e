-- Invitations into an account, one for an address at a time. A row lives until its link is used, withdrawn or expired.
CREATE TABLE "invitations" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "email" TEXT NOT NULL,
  "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'admin', 'analyst', 'billing')),
  -- SHA-256 of the token; the token itself is in the link alone.
  "token_hash" TEXT NOT NULL,
  -- The link went to the address by mail, so its reader reads that mailbox.
  "mailed" BOOLEAN NOT NULL,
  -- Their invitations end when a member is removed or demoted.
  "invited_by" TEXT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(6) NOT NULL
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations" ("token_hash");
CREATE UNIQUE INDEX "invitations_account_id_email_key" ON "invitations" ("account_id", "email");
CREATE INDEX "invitations_email_idx" ON "invitations" ("email");
CREATE INDEX "invitations_invited_by_idx" ON "invitations" ("invited_by");
