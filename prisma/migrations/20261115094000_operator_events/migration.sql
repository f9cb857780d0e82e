-- What was done by hand to the service as a whole: who invoices, what was issued, closed, given up or repaired. What
-- concerns one account stands in audit_events, where its owner reads it.
CREATE TABLE "operator_events" (
  "id" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "target" TEXT,
  "details" JSONB NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "operator_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "operator_events_created_at_id_idx" ON "operator_events" ("created_at", "id");
