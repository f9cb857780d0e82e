-- Who handed which month to whom: a month is exported once, unless somebody says so again.
CREATE TABLE "usage_exports" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "format" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "account_id" TEXT NOT NULL,
  "checks" BIGINT NOT NULL,
  "exported_by" TEXT NOT NULL,
  "exported_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "usage_exports_month_idx" ON "usage_exports" ("month");

-- Usage as events. The events of an hour add up to its checks; what is counted later is one more event with the difference.
CREATE TABLE "usage_events" (
  "account_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  "number" INTEGER NOT NULL,
  "checks" BIGINT NOT NULL,
  "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("account_id", "hour", "number")
);
CREATE INDEX "usage_events_hour_idx" ON "usage_events" ("hour");
