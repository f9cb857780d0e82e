-- What the owner of a key may hold it to; all of it is optional, and the step decides by it.
ALTER TABLE "api_keys"
  ADD COLUMN "expires_at" TIMESTAMPTZ(6),
  -- Networks such as 203.0.113.0/24 that the value may be used from; empty: from anywhere.
  ADD COLUMN "allowed_ips" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "monthly_quota" INTEGER CHECK ("monthly_quota" > 0),
  ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT ARRAY['check', 'usage']::TEXT[]
    CHECK (cardinality("scopes") > 0 AND "scopes" <@ ARRAY['check', 'usage']);
