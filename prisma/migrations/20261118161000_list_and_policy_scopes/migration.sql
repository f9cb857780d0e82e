-- Keys that change lists and policies. No key has these scopes until its owner grants them.
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes_check",
  ADD CONSTRAINT "api_keys_scopes_check"
    CHECK (cardinality("scopes") > 0 AND "scopes" <@ ARRAY['check', 'jobs', 'lists', 'policies', 'usage']);
