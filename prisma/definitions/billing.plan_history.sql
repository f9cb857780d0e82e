CREATE OR REPLACE VIEW "billing"."plan_history" AS
  SELECT "id", "account_id", "from_plan", "to_plan", "effective_at", "made_by", "made_at"
  FROM "public"."plan_changes" WHERE "withdrawn_at" IS NULL;
COMMENT ON VIEW "billing"."plan_history" IS 'Every change of plan that holds or will hold; rows are never changed';
COMMENT ON COLUMN "billing"."plan_history"."id" IS 'Rises with every change';
COMMENT ON COLUMN "billing"."plan_history"."account_id" IS 'Whose plan';
COMMENT ON COLUMN "billing"."plan_history"."from_plan" IS 'The plan before; null for the first';
COMMENT ON COLUMN "billing"."plan_history"."to_plan" IS 'The plan from then on; none when the account was deleted';
COMMENT ON COLUMN "billing"."plan_history"."effective_at" IS 'From when it is in force; a time to come for a downgrade that waits for the next month';
COMMENT ON COLUMN "billing"."plan_history"."made_by" IS 'A user id, operator or operator:<name>; database: set when the account was made, or by hand';
COMMENT ON COLUMN "billing"."plan_history"."made_at" IS 'When it was decided';
