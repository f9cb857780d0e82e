-- What each change of the lists did: which sources began or ceased to list a name. Kept for ever, and appended only.
CREATE TABLE "second_looks" (
  "id" TEXT PRIMARY KEY,
  -- Of the index of releases: a change is noted once, whichever worker sees it first.
  "changed_at" TEXT NOT NULL UNIQUE,
  -- The release that came into force, and the one whose listings stored checks were last compared with.
  "release" TEXT NOT NULL,
  "base" TEXT NOT NULL,
  "status" TEXT NOT NULL CHECK ("status" IN ('searching', 'revising', 'held', 'done', 'replaced', 'failed')),
  -- Names whose listing changed the score.
  "names" TEXT[] NOT NULL,
  -- Stored checks of this period are looked at; the cursor is behind the last one that was.
  "from_at" TIMESTAMPTZ(6) NOT NULL,
  "to_at" TIMESTAMPTZ(6) NOT NULL,
  "cursor_at" TIMESTAMPTZ(6) NOT NULL,
  "cursor_id" TEXT NOT NULL DEFAULT '',
  -- Checks on these names.
  "found" INTEGER NOT NULL DEFAULT 0,
  -- An operator let it revise more than usual.
  "allowed" BOOLEAN NOT NULL DEFAULT false,
  "noted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "lease" INTEGER NOT NULL DEFAULT 0,
  "leased_until" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  -- Turns since the last page.
  "tries" INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE "listing_changes" (
  "domain" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "look_id" TEXT NOT NULL REFERENCES "second_looks" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "listed" BOOLEAN NOT NULL,
  "day" DATE NOT NULL,
  PRIMARY KEY ("domain", "source", "look_id")
);

-- Checks that a second look found and has not revised yet; gone when it is done.
CREATE TABLE "second_look_checks" (
  "look_id" TEXT NOT NULL REFERENCES "second_looks" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "created_at" TIMESTAMPTZ(6) NOT NULL,
  "id" TEXT NOT NULL,
  PRIMARY KEY ("look_id", "created_at", "id")
);

-- What a check would have been decided had the lists known it: beside the log, never over it, and counted nowhere.
CREATE TABLE "revisions" (
  -- The log id.
  "id" TEXT NOT NULL,
  "look_id" TEXT NOT NULL REFERENCES "second_looks" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "key_id" TEXT NOT NULL,
  -- Of the check.
  "checked_at" TIMESTAMPTZ(6) NOT NULL,
  "from_decision" TEXT NOT NULL,
  "to_decision" TEXT NOT NULL,
  "risk_score" SMALLINT NOT NULL,
  "codes" TEXT[] NOT NULL,
  "release" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY ("id", "look_id")
);
CREATE INDEX "revisions_look_id_idx" ON "revisions" ("look_id");
CREATE INDEX "revisions_account_id_created_at_id_idx" ON "revisions" ("account_id", "created_at", "id");
