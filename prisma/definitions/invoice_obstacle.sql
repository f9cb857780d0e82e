-- Says why an account cannot be invoiced; null when it can. An issued invoice never changes, so this is asked before it
-- takes a number.
CREATE OR REPLACE FUNCTION "invoice_obstacle"("p" "billing_profiles", "p_tax_rate" INTEGER) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p."hold_reason" IS NOT NULL THEN 'on hold: ' || p."hold_reason"
    WHEN btrim(coalesce(p."address", ''), E' \n\t') = '' THEN 'no billing address'
    WHEN "p_tax_rate" = 0 AND btrim(coalesce(p."tax_note", '')) = '' THEN 'no tax note that explains 0 % tax'
  END
$$;
