-- Says whether an invoice is open, overdue or paid, by today's date in UTC; null for a credit note. "p_credits" is the sum of
-- its credit notes: an invoice of which nothing is left to pay is paid.
CREATE OR REPLACE FUNCTION "invoice_status"("i" "invoices", "p_credits" NUMERIC) RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN i."kind" <> 'invoice' THEN NULL
    WHEN i."paid_on" IS NOT NULL THEN 'paid'
    WHEN i."total" + coalesce("p_credits", 0) <= 0 THEN 'paid'
    WHEN i."due_on" < (now() AT TIME ZONE 'UTC')::date THEN 'overdue'
    ELSE 'open'
  END
$$;
CREATE OR REPLACE VIEW "billing"."invoices" AS
  SELECT "number", "kind", "legal_entity", "account_id", "month", "issued_on", "due_on", "currency", "subtotal", "tax_rate",
    "tax", "total", "document" -> 'buyer' ->> 'name' AS "billed_to", "document" -> 'buyer' ->> 'tax_id' AS "tax_id",
    "document" -> 'lines' AS "lines", "corrects", "statement_checksum", "checksum",
    "public"."invoice_status"(i, (SELECT sum(c."total") FROM "public"."invoices" c WHERE c."corrects" = i."number")) AS "status",
    "paid_on", "payment_ref"
  FROM "public"."invoices" i;
COMMENT ON VIEW "billing"."invoices" IS 'Invoices and credit notes as they were issued; immutable, numbered without gaps';
COMMENT ON COLUMN "billing"."invoices"."number" IS 'Prefix of the legal entity and a number without gaps';
COMMENT ON COLUMN "billing"."invoices"."kind" IS 'invoice or credit_note';
COMMENT ON COLUMN "billing"."invoices"."legal_entity" IS 'Who invoices';
COMMENT ON COLUMN "billing"."invoices"."account_id" IS 'Who is invoiced';
COMMENT ON COLUMN "billing"."invoices"."month" IS 'First day of the month that is billed';
COMMENT ON COLUMN "billing"."invoices"."issued_on" IS 'Date of the invoice, UTC';
COMMENT ON COLUMN "billing"."invoices"."due_on" IS 'When it is due';
COMMENT ON COLUMN "billing"."invoices"."currency" IS 'ISO 4217';
COMMENT ON COLUMN "billing"."invoices"."subtotal" IS 'Before tax, in minor units; negative on a credit note';
COMMENT ON COLUMN "billing"."invoices"."tax_rate" IS 'Hundredths of a percent';
COMMENT ON COLUMN "billing"."invoices"."tax" IS 'In minor units';
COMMENT ON COLUMN "billing"."invoices"."total" IS 'subtotal + tax, in minor units';
COMMENT ON COLUMN "billing"."invoices"."billed_to" IS 'Name on the invoice';
COMMENT ON COLUMN "billing"."invoices"."tax_id" IS 'Tax number of the customer on the invoice';
COMMENT ON COLUMN "billing"."invoices"."lines" IS 'As on the statement; amounts in minor units';
COMMENT ON COLUMN "billing"."invoices"."corrects" IS 'The invoice that a credit note takes back';
COMMENT ON COLUMN "billing"."invoices"."statement_checksum" IS 'Checksum of the statement it was made from';
COMMENT ON COLUMN "billing"."invoices"."checksum" IS 'SHA-256 over all of it; stands at the foot of the document';
COMMENT ON COLUMN "billing"."invoices"."status" IS 'open, overdue or paid today; null on a credit note';
COMMENT ON COLUMN "billing"."invoices"."paid_on" IS 'When it was paid; null: not yet, or credited in full';
COMMENT ON COLUMN "billing"."invoices"."payment_ref" IS 'The payment, as the bank or the ledger calls it';
