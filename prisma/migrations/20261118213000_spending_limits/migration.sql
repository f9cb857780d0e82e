-- What customers set to limit their own spending: where checks stop, and at which percentages of the plan a mail goes out.
CREATE TABLE "spending_limits" (
  "account_id" TEXT NOT NULL,
  "checks_cap" BIGINT CHECK ("checks_cap" >= 0),
  "mail_at" INTEGER[] NOT NULL DEFAULT '{}',
  "told_month" TEXT,
  "told_checks" BIGINT,
  CONSTRAINT "spending_limits_pkey" PRIMARY KEY ("account_id"),
  CONSTRAINT "spending_limits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
