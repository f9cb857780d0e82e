-- Which plan was in force when -----------------------------------------------------------------------------------------

-- One row per change of plan. `accounts.plan` is the plan in force now; what a month is billed by is read from here. It
-- refers to no account: who left must still be billed for the days before.
CREATE TABLE "plan_changes" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  -- Empty for an account's first plan.
  "from_plan" TEXT,
  -- none: the account was deleted.
  "to_plan" TEXT NOT NULL,
  -- Upgrades hold at once, downgrades from the first moment of the next month.
  "effective_at" TIMESTAMPTZ(6) NOT NULL,
  -- A user, operator, operator:<name>, or database: somebody changed the row by hand.
  "made_by" TEXT NOT NULL,
  "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When `accounts.plan` followed; empty while the change lies ahead.
  "applied_at" TIMESTAMPTZ(6),
  -- A change that lay ahead and was taken back by another one.
  "withdrawn_at" TIMESTAMPTZ(6)
);
CREATE INDEX "plan_changes_account_id_effective_at_idx" ON "plan_changes" ("account_id", "effective_at");
CREATE INDEX "plan_changes_ahead_idx" ON "plan_changes" ("effective_at")
  WHERE "applied_at" IS NULL AND "withdrawn_at" IS NULL;

CREATE FUNCTION "refuse_plan_change_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."applied_at" IS NULL AND OLD."withdrawn_at" IS NULL
    AND (OLD."id", OLD."account_id", OLD."from_plan", OLD."to_plan", OLD."effective_at", OLD."made_by", OLD."made_at")
      IS NOT DISTINCT FROM
        (NEW."id", NEW."account_id", NEW."from_plan", NEW."to_plan", NEW."effective_at", NEW."made_by", NEW."made_at")
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the history of plans is not rewritten: change the plan again instead'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "plan_changes_kept" BEFORE UPDATE OR DELETE ON "plan_changes"
  FOR EACH ROW EXECUTE FUNCTION "refuse_plan_change_change"();
CREATE TRIGGER "plan_changes_not_emptied" BEFORE TRUNCATE ON "plan_changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_plan_change_change"();

-- The plan of an account at a moment; null before its first.
CREATE FUNCTION "plan_in_force"("p_account" TEXT, "p_at" TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT c."to_plan" FROM "plan_changes" c
  WHERE c."account_id" = "p_account" AND c."effective_at" <= "p_at" AND c."withdrawn_at" IS NULL
  ORDER BY c."effective_at" DESC, c."id" DESC LIMIT 1
$$;

-- What people asked for where an operator decides (PLAN_CHANGES=operator). One open request per account.
CREATE TABLE "plan_requests" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "plan" TEXT NOT NULL,
  "requested_by" TEXT,
  "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "status" TEXT NOT NULL DEFAULT 'open' CHECK ("status" IN ('open', 'granted', 'refused', 'withdrawn')),
  "decided_by" TEXT,
  "decided_at" TIMESTAMPTZ(6),
  "reason" TEXT
);
CREATE UNIQUE INDEX "plan_requests_open_idx" ON "plan_requests" ("account_id") WHERE "status" = 'open';
CREATE INDEX "plan_requests_account_id_requested_at_idx" ON "plan_requests" ("account_id", "requested_at");

-- Lets an account follow the changes whose time has come; its version rises, so the outbox brings it to Redis.
CREATE FUNCTION "apply_due_plan_changes_of"("p_account" TEXT, "p_now" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
  -- First the account's row, as every change does; whoever waited for it finds the change applied.
  PERFORM FROM "accounts" a WHERE a."id" = "p_account" FOR UPDATE;
  UPDATE "plan_changes" c SET "applied_at" = "p_now"
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL
    AND c."effective_at" <= "p_now";
  IF NOT FOUND THEN RETURN 0; END IF;
  UPDATE "accounts" a SET "plan" = "plan_in_force"("p_account", "p_now"), "version" = a."version" + 1
  WHERE a."id" = "p_account";
  RETURN 1;
END $$;

CREATE FUNCTION "apply_due_plan_changes"("p_now" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE sql AS $$
  SELECT coalesce(sum("apply_due_plan_changes_of"(d."account_id", "p_now")), 0)::integer
  FROM (SELECT DISTINCT c."account_id" FROM "plan_changes" c
        WHERE c."applied_at" IS NULL AND c."withdrawn_at" IS NULL AND c."effective_at" <= "p_now" ORDER BY 1) d
$$;

-- Changes a plan; the caller holds the account's row. `p_down_from` names the plans that are no smaller than the new one:
-- from one of these it begins with the next month, from any other it holds at once. Whatever lay ahead is taken back, so
-- choosing the present plan cancels a downgrade. An open request for this plan is granted by it.
-- Returns one row, or none when nothing was to be changed.
CREATE FUNCTION "change_plan"(
  "p_account" TEXT, "p_plan" TEXT, "p_down_from" TEXT[], "p_made_by" TEXT, "p_now" TIMESTAMPTZ
) RETURNS TABLE ("from_plan" TEXT, "plan" TEXT, "next_plan" TEXT, "effective_at" TIMESTAMPTZ) LANGUAGE plpgsql AS $$
DECLARE
  "v_present" TEXT;
  "v_ahead" TEXT;
  "v_at" TIMESTAMPTZ;
BEGIN
  PERFORM "apply_due_plan_changes_of"("p_account", "p_now");
  SELECT a."plan" INTO "v_present" FROM "accounts" a WHERE a."id" = "p_account" FOR UPDATE;
  UPDATE "plan_requests" r SET "status" = 'granted', "decided_by" = "p_made_by", "decided_at" = "p_now"
  WHERE r."account_id" = "p_account" AND r."status" = 'open' AND r."plan" = "p_plan";
  SELECT c."to_plan" INTO "v_ahead" FROM "plan_changes" c
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL;
  -- It is the plan already, or will be.
  IF "v_present" IS NULL OR "p_plan" = coalesce("v_ahead", "v_present") THEN RETURN; END IF;

  UPDATE "plan_changes" c SET "withdrawn_at" = "p_now"
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL;
  IF "p_plan" = "v_present" THEN
    RETURN QUERY SELECT "v_present", "v_present", NULL::text, "p_now";
    RETURN;
  END IF;
  IF "v_present" = ANY ("p_down_from") THEN
    "v_at" := (date_trunc('month', "p_now" AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "made_at")
    VALUES ("p_account", "v_present", "p_plan", "v_at", "p_made_by", "p_now");
    RETURN QUERY SELECT "v_present", "v_present", "p_plan", "v_at";
  ELSE
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "made_at", "applied_at")
    VALUES ("p_account", "v_present", "p_plan", "p_now", "p_made_by", "p_now", "p_now");
    UPDATE "accounts" a SET "plan" = "p_plan" WHERE a."id" = "p_account";
    RETURN QUERY SELECT "v_present", "p_plan", NULL::text, "p_now";
  END IF;
END $$;

-- No plan without history, whichever way it was set: an account begins with a row, ends with one, and a plan that was
-- changed by hand is noted. A restore brings its own history.
CREATE FUNCTION "note_plan_of_account"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('verdict.restoring', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "plan_changes" ("account_id", "to_plan", "effective_at", "made_by", "applied_at")
    VALUES (NEW."id", NEW."plan", NEW."created_at", 'database', NEW."created_at");
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE "plan_changes" c SET "withdrawn_at" = clock_timestamp()
    WHERE c."account_id" = OLD."id" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL;
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "applied_at")
    VALUES (OLD."id", OLD."plan", 'none', clock_timestamp(), 'database', clock_timestamp());
  ELSIF NEW."plan" <> OLD."plan" AND NOT EXISTS (
    SELECT FROM (SELECT c."to_plan" FROM "plan_changes" c
                 WHERE c."account_id" = NEW."id" AND c."applied_at" IS NOT NULL
                 ORDER BY c."effective_at" DESC, c."id" DESC LIMIT 1) "newest" WHERE "newest"."to_plan" = NEW."plan")
  THEN
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "applied_at")
    VALUES (NEW."id", OLD."plan", NEW."plan", clock_timestamp(), 'database', clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "accounts_plan_noted" AFTER INSERT OR DELETE OR UPDATE OF "plan" ON "accounts"
  FOR EACH ROW EXECUTE FUNCTION "note_plan_of_account"();

-- Accounts that were here before their history was kept: all that is known is the plan they have now.
INSERT INTO "plan_changes" ("account_id", "to_plan", "effective_at", "made_by", "applied_at")
SELECT a."id", a."plan", a."created_at", 'database', a."created_at" FROM "accounts" a;

CREATE VIEW "billing"."plan_history" AS
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

-- On a server whose migrations may not make roles there is no such role.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'billing_reader') THEN
    GRANT SELECT ON "billing"."plan_history" TO "billing_reader";
  END IF;
END $$;
