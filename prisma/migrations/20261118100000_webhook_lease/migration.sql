-- Counts the leases of a message, so that a worker whose lease has ended cannot settle it.
ALTER TABLE "webhook_deliveries" ADD COLUMN "lease" INTEGER NOT NULL DEFAULT 0;
