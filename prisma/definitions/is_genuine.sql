-- Whether a statement says what its text says, and the text has its checksum. Forms 1 and 2 have their values line by line,
-- later ones are JSON.
CREATE OR REPLACE FUNCTION "is_genuine"("s" "statements") RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT s."checksum" = encode(sha256(convert_to(s."text", 'UTF8')), 'hex') AND CASE s."form"
    WHEN 1 THEN s."text" = concat_ws(E'\n', to_char(s."month", 'YYYY-MM'), s."account_id", s."plan", s."entitled", s."used",
      s."adjusted", s."over", s."by_decision"::text, s."by_key"::text)
    WHEN 2 THEN s."text" = concat_ws(E'\n', to_char(s."month", 'YYYY-MM'), s."account_id", s."plan", s."entitled", s."used",
      s."adjusted", s."over", s."by_decision"::text, s."by_key"::text, s."plans"::text, s."currency", s."lines"::text,
      s."subtotal", s."tax_rate", s."tax", s."total")
    ELSE s."text"::jsonb = jsonb_build_object('month', to_char(s."month", 'YYYY-MM'), 'account_id', s."account_id",
      'plan', s."plan", 'entitled', s."entitled", 'used', s."used", 'adjusted', s."adjusted", 'over', s."over",
      'by_decision', s."by_decision", 'by_key', s."by_key", 'plans', s."plans", 'currency', s."currency",
      'lines', s."lines", 'subtotal', s."subtotal", 'tax_rate', s."tax_rate", 'tax', s."tax", 'total', s."total")
      || CASE WHEN s."by_tag" IS NULL THEN '{}' ELSE jsonb_build_object('by_tag', s."by_tag") END END
$$;
