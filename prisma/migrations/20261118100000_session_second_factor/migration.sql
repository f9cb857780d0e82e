-- The operator area asks whether this login showed a code, not whether its user has an authenticator app by now. Logins of
-- earlier releases did not note it, so operators log in again.
ALTER TABLE "sessions" ADD COLUMN "second_factor" BOOLEAN NOT NULL DEFAULT false;
