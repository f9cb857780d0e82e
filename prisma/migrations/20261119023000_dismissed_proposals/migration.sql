-- Proposals that somebody did not want. One comes back when its abuse has doubled since.
CREATE TABLE "dismissed_proposals" (
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- One of PROPOSAL_KINDS in the domain.
  "kind" TEXT NOT NULL,
  -- Of a mailbox its keyed hash.
  "subject" TEXT NOT NULL,
  -- The count that was seen.
  "abuse" INTEGER NOT NULL,
  "dismissed_by" TEXT NOT NULL,
  "dismissed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("account_id", "kind", "subject")
);
-- Erasure finds those of a person in every account.
CREATE INDEX "dismissed_proposals_subject_idx" ON "dismissed_proposals" ("subject");
CREATE INDEX "dismissed_proposals_dismissed_at_idx" ON "dismissed_proposals" ("dismissed_at");
