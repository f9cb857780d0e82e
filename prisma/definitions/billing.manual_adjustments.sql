CREATE OR REPLACE VIEW "billing"."manual_adjustments" AS
  SELECT "id", "account_id", "kind", "checks", "amount", "reason", "author", "created_at", "billed_month"
  FROM "public"."manual_adjustments";
COMMENT ON VIEW "billing"."manual_adjustments" IS 'Corrections by hand, billed with the next statement; never changed';
COMMENT ON COLUMN "billing"."manual_adjustments"."id" IS 'Rises';
COMMENT ON COLUMN "billing"."manual_adjustments"."account_id" IS 'Whose bill';
COMMENT ON COLUMN "billing"."manual_adjustments"."kind" IS 'adjustment, or credit: an amount in the customer''s favour';
COMMENT ON COLUMN "billing"."manual_adjustments"."checks" IS 'Added to adjusted; may be negative';
COMMENT ON COLUMN "billing"."manual_adjustments"."amount" IS 'A line of the statement, in minor units; may be negative';
COMMENT ON COLUMN "billing"."manual_adjustments"."reason" IS 'Stands on the invoice';
COMMENT ON COLUMN "billing"."manual_adjustments"."author" IS 'Who made it';
COMMENT ON COLUMN "billing"."manual_adjustments"."created_at" IS 'When';
COMMENT ON COLUMN "billing"."manual_adjustments"."billed_month" IS 'Whose statement carries it; null: the next one will';
