-- No plan without history, whichever way it was set: an account begins with a row, ends with one, and a plan that was
-- changed by hand is noted. A restore brings its own history.
CREATE OR REPLACE FUNCTION "note_plan_of_account"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER "accounts_plan_noted" AFTER INSERT OR DELETE OR UPDATE OF "plan" ON "accounts"
  FOR EACH ROW EXECUTE FUNCTION "note_plan_of_account"();
