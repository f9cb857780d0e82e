-- Single sign-on of an account: the identity provider that its members log in with.
CREATE TABLE "sso_connections" (
  "account_id" TEXT PRIMARY KEY REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "issuer" TEXT NOT NULL,
  "client_id" TEXT NOT NULL,
  -- Encrypted with SECRETS_KEY.
  "client_secret" TEXT NOT NULL,
  -- Of people who come in for the first time; nobody becomes owner that way.
  "default_role" TEXT NOT NULL CHECK ("default_role" IN ('admin', 'analyst', 'billing')),
  -- Passwords of members below owner open the account no more.
  "enforce" BOOLEAN NOT NULL DEFAULT false,
  -- What a TXT record of a domain has to say.
  "proof" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- The domains whose addresses log in there, once they are proven or granted by an operator.
CREATE TABLE "sso_domains" (
  "account_id" TEXT NOT NULL REFERENCES "sso_connections" ("account_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "domain" TEXT NOT NULL,
  "proven_at" TIMESTAMPTZ(6),
  PRIMARY KEY ("account_id", "domain")
);
-- A domain leads to one account.
CREATE UNIQUE INDEX "sso_domains_proven_key" ON "sso_domains" ("domain") WHERE "proven_at" IS NOT NULL;

-- The member that a subject of a provider is. It goes with the membership.
CREATE TABLE "sso_identities" (
  "account_id" TEXT NOT NULL,
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("account_id", "issuer", "subject"),
  FOREIGN KEY ("account_id", "user_id") REFERENCES "memberships" ("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sso_identities_account_id_user_id_idx" ON "sso_identities" ("account_id", "user_id");

-- The account whose provider vouched for a login. Such a login opens that account alone.
ALTER TABLE "sessions" ADD COLUMN "sso_account_id" TEXT;
