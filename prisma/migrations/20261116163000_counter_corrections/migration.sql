-- Every correction of a Redis counter, so that a counter that was lowered still says what it held.
CREATE TABLE "counter_corrections" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "counter_from" BIGINT NOT NULL,
  "counter_to" BIGINT NOT NULL,
  -- worker, or operator.
  "made_by" TEXT NOT NULL,
  "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
