-- What an operator may do. Operators of today keep doing everything.
ALTER TABLE "users" ADD COLUMN "operator_role" TEXT NOT NULL DEFAULT 'admin' CHECK ("operator_role" IN ('support', 'finance', 'admin'));

-- The role that the provider of this server gave a login by the groups of its user.
ALTER TABLE "sessions" ADD COLUMN "operator_role" TEXT CHECK ("operator_role" IN ('support', 'finance', 'admin'));

-- The user that a subject of the provider of this server is.
CREATE TABLE "operator_identities" (
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "user_id" TEXT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "operator_identities_user_id_idx" ON "operator_identities" ("user_id");
