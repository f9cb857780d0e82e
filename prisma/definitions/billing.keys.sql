CREATE OR REPLACE VIEW "billing"."keys" AS
  SELECT "id" AS "key_id", "account_id", "name", "last_four" AS "ends_with", "status", "cost_centre", "created_at",
    "last_used_at", "revoked_at"
  FROM "public"."api_keys";
COMMENT ON VIEW "billing"."keys" IS 'The API keys, never their secrets';
COMMENT ON COLUMN "billing"."keys"."key_id" IS 'As in the usage views';
COMMENT ON COLUMN "billing"."keys"."account_id" IS 'Whose key';
COMMENT ON COLUMN "billing"."keys"."name" IS 'As the customer calls it';
COMMENT ON COLUMN "billing"."keys"."ends_with" IS 'The last four characters of its value';
COMMENT ON COLUMN "billing"."keys"."status" IS 'active, inactive or revoked';
COMMENT ON COLUMN "billing"."keys"."cost_centre" IS 'Where the customer books its checks';
COMMENT ON COLUMN "billing"."keys"."created_at" IS 'When it was made';
COMMENT ON COLUMN "billing"."keys"."last_used_at" IS 'Its newest check';
COMMENT ON COLUMN "billing"."keys"."revoked_at" IS 'When it was ended for good';
