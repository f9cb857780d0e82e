CREATE OR REPLACE VIEW "billing"."accounts" AS
  SELECT coalesce(a."id", p."account_id") AS "account_id", a."name", coalesce(a."plan", 'none') AS "plan",
    CASE WHEN a."id" IS NULL THEN 'deleted' WHEN a."suspended_at" IS NULL THEN 'active' ELSE 'suspended' END AS "status",
    a."created_at", p."name" AS "billing_name", p."address" AS "billing_address", p."tax_id", p."contact" AS "billing_contact",
    coalesce(p."tax_rate", 0) AS "tax_rate", p."tax_note", p."external_ref", p."legal_entity", p."country",
    p."po_number", p."hold_reason"
  FROM "public"."accounts" a FULL JOIN "public"."billing_profiles" p ON p."account_id" = a."id";
COMMENT ON VIEW "billing"."accounts" IS 'Who the customers are and whom their invoices are made out to';
COMMENT ON COLUMN "billing"."accounts"."account_id" IS 'As in every other view';
COMMENT ON COLUMN "billing"."accounts"."name" IS 'As the customer calls the account; null when it was deleted';
COMMENT ON COLUMN "billing"."accounts"."plan" IS 'In force now; none when it was deleted';
COMMENT ON COLUMN "billing"."accounts"."status" IS 'active, suspended or deleted';
COMMENT ON COLUMN "billing"."accounts"."created_at" IS 'When it was made';
COMMENT ON COLUMN "billing"."accounts"."billing_name" IS 'Whom invoices are made out to; the account name when null';
COMMENT ON COLUMN "billing"."accounts"."billing_address" IS 'Postal address, several lines';
COMMENT ON COLUMN "billing"."accounts"."tax_id" IS 'The customer''s tax number';
COMMENT ON COLUMN "billing"."accounts"."billing_contact" IS 'Who gets the invoices';
COMMENT ON COLUMN "billing"."accounts"."tax_rate" IS 'Hundredths of a percent: 1900 is 19 %';
COMMENT ON COLUMN "billing"."accounts"."tax_note" IS 'Which tax, or why none';
COMMENT ON COLUMN "billing"."accounts"."external_ref" IS 'The customer''s number elsewhere, such as cus_... of Stripe';
COMMENT ON COLUMN "billing"."accounts"."legal_entity" IS 'Who invoices; null: the default one';
COMMENT ON COLUMN "billing"."accounts"."country" IS 'ISO 3166, two letters';
COMMENT ON COLUMN "billing"."accounts"."po_number" IS 'The customer''s purchase order number';
COMMENT ON COLUMN "billing"."accounts"."hold_reason" IS 'Why its invoices wait; null: they do not';
