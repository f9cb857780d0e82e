-- Where the values of a key were used from, by day and network, and when the old value of a rolled key was used last.
CREATE TABLE "key_uses" (
  "key_id" TEXT NOT NULL,
  "day" DATE NOT NULL,
  "network" TEXT NOT NULL,
  "requests" BIGINT NOT NULL,
  "first_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "key_uses_pkey" PRIMARY KEY ("key_id", "day", "network"),
  CONSTRAINT "key_uses_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "retired_secrets" ADD COLUMN "last_used_at" TIMESTAMPTZ(6);
