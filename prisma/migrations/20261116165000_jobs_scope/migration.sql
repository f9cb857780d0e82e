-- A scope for bulk jobs. Keys that may check may go on with their jobs.
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes_check",
  ADD CONSTRAINT "api_keys_scopes_check"
    CHECK (cardinality("scopes") > 0 AND "scopes" <@ ARRAY['check', 'usage', 'jobs']),
  ALTER COLUMN "scopes" SET DEFAULT ARRAY['check', 'jobs', 'usage']::TEXT[];
UPDATE "api_keys" SET "scopes" = ARRAY(SELECT unnest("scopes" || ARRAY['jobs']) ORDER BY 1) WHERE 'check' = ANY("scopes");
