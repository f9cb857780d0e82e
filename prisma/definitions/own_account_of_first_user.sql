-- The first user of an account owns it, whichever release registers them. A restore brings its own memberships.
CREATE OR REPLACE FUNCTION "own_account_of_first_user"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('verdict.restoring', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO "memberships" ("account_id", "user_id", "role", "created_at")
  SELECT NEW."account_id", NEW."id", 'owner', NEW."created_at"
  WHERE NOT EXISTS (SELECT FROM "memberships" m WHERE m."account_id" = NEW."account_id");
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "users_first_owns" AFTER INSERT ON "users"
  FOR EACH ROW EXECUTE FUNCTION "own_account_of_first_user"();
