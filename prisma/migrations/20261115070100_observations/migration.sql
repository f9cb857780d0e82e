-- What the worker last saw, for people: the queue every few seconds, reconciliation when it ran. One row a name.
CREATE TABLE "observations" (
  "name" TEXT PRIMARY KEY,
  "value" JSONB NOT NULL,
  "observed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
