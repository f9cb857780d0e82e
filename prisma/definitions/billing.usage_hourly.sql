CREATE OR REPLACE VIEW "billing"."usage_hourly" AS
  SELECT "account_id", "key_id", "hour", "decision", "checks" FROM "public"."usage_hourly";
COMMENT ON VIEW "billing"."usage_hourly" IS 'Checks by account, key, hour and decision; written with the checks themselves';
COMMENT ON COLUMN "billing"."usage_hourly"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_hourly"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_hourly"."hour" IS 'Start of the hour, UTC';
COMMENT ON COLUMN "billing"."usage_hourly"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_hourly"."checks" IS 'How many';
