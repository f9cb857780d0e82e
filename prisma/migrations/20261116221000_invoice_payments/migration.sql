-- What happens to an invoice after its issue. None of it is on the document or in its checksum.
ALTER TABLE "invoices"
  ADD COLUMN "paid_on" DATE,
  -- The payment, as the bank or the ledger calls it.
  ADD COLUMN "payment_ref" TEXT,
  ADD CONSTRAINT "invoices_paid_check" CHECK (("paid_on" IS NULL) = ("payment_ref" IS NULL));
CREATE INDEX "invoices_corrects_idx" ON "invoices" ("corrects");
