-- Statements that become an invoice, of months whose statements are all written: those with a line, where somebody
-- invoices. "stopped" says why one waits.
CREATE OR REPLACE VIEW "unissued_invoices" AS
  SELECT s."month", s."account_id", coalesce(p."legal_entity", d."id") AS "legal_entity",
    coalesce(p."name", a."name", s."account_id") AS "name", s."currency", s."subtotal", s."tax_rate", s."tax", s."total",
    s."lines", s."plans", s."entitled", s."used", s."adjusted", s."over", s."checksum", p."tax_note",
    jsonb_build_object('name', coalesce(p."name", a."name", s."account_id"), 'address', p."address", 'tax_id', p."tax_id",
      'contact', p."contact", 'country', p."country", 'external_ref', p."external_ref", 'po_number', p."po_number") AS "buyer",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('key_id', u."key", 'name', k."name", 'cost_centre', k."cost_centre",
       'checks', u."value"::bigint) ORDER BY u."key"), '[]')
     FROM jsonb_each_text(s."by_key") u LEFT JOIN "api_keys" k ON k."id" = u."key") AS "keys",
    "invoice_obstacle"(p, s."tax_rate") AS "stopped"
  FROM "statements" s JOIN "billing_periods" b ON b."month" = s."month" AND b."stated_at" IS NOT NULL
  LEFT JOIN "accounts" a ON a."id" = s."account_id"
  LEFT JOIN "billing_profiles" p ON p."account_id" = s."account_id"
  LEFT JOIN "legal_entities" d ON d."is_default"
  WHERE s."form" >= 2 AND s."lines" <> '[]' AND coalesce(p."legal_entity", d."id") IS NOT NULL
    AND NOT EXISTS (SELECT FROM "invoices" i
                    WHERE i."month" = s."month" AND i."account_id" = s."account_id" AND i."corrects" IS NULL);
