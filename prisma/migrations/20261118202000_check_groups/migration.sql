-- Checks of an account by hour and by what they have in common: domain, mail host, network, AS, mailbox, reason, rule. The worker
-- makes an hour of them from its stored checks, and again when more are stored, so they are never counted twice.
CREATE TABLE "check_groups" (
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  -- One of GROUP_KINDS in the domain.
  "kind" TEXT NOT NULL,
  -- Of a mailbox its keyed hash.
  "value" TEXT NOT NULL,
  "allow" INTEGER NOT NULL,
  "challenge" INTEGER NOT NULL,
  "review" INTEGER NOT NULL,
  "block" INTEGER NOT NULL,
  PRIMARY KEY ("account_id", "hour", "kind", "value")
);
-- In the order of bytes, for the beginning of a domain.
CREATE INDEX "check_groups_value_idx" ON "check_groups" ("account_id", "kind", "value" COLLATE "C", "hour");

-- How many checks of an hour are grouped, and how many of them were not allowed. An hour whose rollup counts another number is
-- grouped again.
CREATE TABLE "check_group_hours" (
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  "checks" BIGINT NOT NULL,
  "doubted" BIGINT NOT NULL,
  -- The hour had more values of a kind than are kept.
  "cut" BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY ("account_id", "hour")
);
CREATE INDEX "check_group_hours_hour_idx" ON "check_group_hours" ("hour");

-- Country and AS of the networks that IPs of checks lie in (/24, /48), as scoring told them. They belong to no account.
CREATE TABLE "network_origins" (
  "network" TEXT NOT NULL PRIMARY KEY,
  "country" TEXT,
  "asn" BIGINT,
  "told_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "network_origins_told_at_idx" ON "network_origins" ("told_at");

-- What repeats above its usual level, since when, and what was decided.
CREATE TABLE "bursts" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(6) NOT NULL,
  "ended_at" TIMESTAMPTZ(6),
  -- The busiest usual hour in the weeks before.
  "usual" INTEGER NOT NULL,
  "allow" INTEGER NOT NULL,
  "challenge" INTEGER NOT NULL,
  "review" INTEGER NOT NULL,
  "block" INTEGER NOT NULL,
  -- Log ids.
  "examples" TEXT[] NOT NULL
);
CREATE UNIQUE INDEX "bursts_one_under_way" ON "bursts" ("account_id", "kind", "value") WHERE "ended_at" IS NULL;
CREATE INDEX "bursts_account_id_started_at_idx" ON "bursts" ("account_id", "started_at");
CREATE INDEX "bursts_ended_at_idx" ON "bursts" ("ended_at");
