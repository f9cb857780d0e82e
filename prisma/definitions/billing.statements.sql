CREATE OR REPLACE VIEW "billing"."statements" AS
  SELECT "month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision", "by_key", "closed_at",
    "checksum", "plans", "currency", "lines", "subtotal", "tax_rate", "tax", "total", "form", "text", "by_tag"
  FROM "public"."statements";
COMMENT ON VIEW "billing"."statements" IS 'What each account owes for a closed month; immutable';
COMMENT ON COLUMN "billing"."statements"."month" IS 'First day of the month, UTC';
COMMENT ON COLUMN "billing"."statements"."account_id" IS 'Who owes it';
COMMENT ON COLUMN "billing"."statements"."plan" IS 'The plan that entitled to the most checks; none without a plan';
COMMENT ON COLUMN "billing"."statements"."entitled" IS 'Checks included, by the days of each plan';
COMMENT ON COLUMN "billing"."statements"."used" IS 'Checks of this month';
COMMENT ON COLUMN "billing"."statements"."adjusted" IS 'Late checks of earlier months and corrections by hand; may be negative';
COMMENT ON COLUMN "billing"."statements"."over" IS 'used and corrections by hand, less entitled; never below 0';
COMMENT ON COLUMN "billing"."statements"."by_decision" IS 'used, split by decision';
COMMENT ON COLUMN "billing"."statements"."by_key" IS 'used, split by key';
COMMENT ON COLUMN "billing"."statements"."closed_at" IS 'When the month was closed';
COMMENT ON COLUMN "billing"."statements"."checksum" IS 'SHA-256 of the text';
COMMENT ON COLUMN "billing"."statements"."plans" IS 'The plans in force, each with its first and last day and their number';
COMMENT ON COLUMN "billing"."statements"."currency" IS 'ISO 4217';
COMMENT ON COLUMN "billing"."statements"."lines" IS 'Plan fees by days, checks beyond them, overage, adjustments, credits, what is carried; amounts in minor units';
COMMENT ON COLUMN "billing"."statements"."subtotal" IS 'Sum of the lines, in minor units';
COMMENT ON COLUMN "billing"."statements"."tax_rate" IS 'Hundredths of a percent, as given for the account at closing';
COMMENT ON COLUMN "billing"."statements"."tax" IS 'subtotal x tax_rate, in minor units, halves away from zero';
COMMENT ON COLUMN "billing"."statements"."total" IS 'subtotal + tax, in minor units';
COMMENT ON COLUMN "billing"."statements"."form" IS '1: counts only, closed before prices were kept; 2: with money, the text line by line; 3: the text is JSON';
COMMENT ON COLUMN "billing"."statements"."text" IS 'All that is billed, as it was written when the month was closed';
COMMENT ON COLUMN "billing"."statements"."by_tag" IS 'used, split by the first 100 tags of the month; the rest has another or none. Null before November 2026';
