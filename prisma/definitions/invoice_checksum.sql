-- SHA-256 over everything that stands on an invoice, one value a line.
CREATE OR REPLACE FUNCTION "invoice_checksum"("i" "invoices") RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(concat_ws(E'\n', i."number", i."kind", i."account_id", to_char(i."month", 'YYYY-MM'),
    to_char(i."issued_on", 'YYYY-MM-DD'), to_char(i."due_on", 'YYYY-MM-DD'), i."currency", i."subtotal", i."tax_rate",
    i."tax", i."total", i."document"::text, i."corrects", i."statement_checksum"), 'UTF8')), 'hex')
$$;
