-- When the mails about an invoice went to the outbox: each is written once.
ALTER TABLE "invoices" ADD COLUMN "mailed_at" TIMESTAMPTZ(6), ADD COLUMN "reminded_at" TIMESTAMPTZ(6);
