ALTER TABLE "users" ADD COLUMN "email_verified_at" TIMESTAMPTZ(6);

-- Mails that are to be sent, written in the transaction of what they tell about.
CREATE TABLE "outgoing_mails" (
  "id" TEXT PRIMARY KEY,
  "user_id" TEXT REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  -- Address and facts, for the keys of SECRETS_KEY only.
  "sealed" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "next_try_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_error" TEXT
);
CREATE INDEX "outgoing_mails_next_try_at_idx" ON "outgoing_mails" ("next_try_at");
CREATE INDEX "outgoing_mails_user_id_idx" ON "outgoing_mails" ("user_id");

-- What a link in a mail is good for, once.
CREATE TABLE "mail_tokens" (
  "hash" TEXT PRIMARY KEY,
  "purpose" TEXT NOT NULL CHECK ("purpose" IN ('registration', 'password_reset', 'address')),
  "email" TEXT NOT NULL,
  "name" TEXT,
  "password_hash" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(6) NOT NULL
);
CREATE INDEX "mail_tokens_email_idx" ON "mail_tokens" ("email");
CREATE INDEX "mail_tokens_expires_at_idx" ON "mail_tokens" ("expires_at");
