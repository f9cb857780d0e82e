-- What accounting and electronic invoices ask for beside the address.
ALTER TABLE "billing_profiles"
  -- ISO 3166, two letters.
  ADD COLUMN "country" TEXT CHECK ("country" ~ '^[A-Z]{2}$'),
  -- The customer's own number for what was ordered.
  ADD COLUMN "po_number" TEXT;
ALTER TABLE "legal_entities" ADD COLUMN "country" TEXT CHECK ("country" ~ '^[A-Z]{2}$');
CREATE INDEX "invoices_issued_on_idx" ON "invoices" ("issued_on");
