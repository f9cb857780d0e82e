-- Prices and discounts of one account. Refers to no account, because who left is still billed; rows are only added.
CREATE TABLE "account_terms" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL,
    "account_id" TEXT NOT NULL,
    "from_month" DATE NOT NULL,
    "plan" TEXT,
    "price_month" BIGINT,
    "price_per_1000_over" BIGINT,
    "discount" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_terms_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "account_terms_discount_check" CHECK ("discount" BETWEEN 0 AND 10000),
    CONSTRAINT "account_terms_price_check" CHECK ("price_month" >= 0 AND "price_per_1000_over" >= 0),
    CONSTRAINT "account_terms_plan_check" CHECK ("plan" IS NOT NULL OR ("price_month" IS NULL AND "price_per_1000_over" IS NULL))
);

CREATE INDEX "account_terms_account_id_idx" ON "account_terms"("account_id");
