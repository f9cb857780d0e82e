-- Where customers want to be told --------------------------------------------------------------------------------------

CREATE TABLE "webhook_endpoints" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "url" TEXT NOT NULL,
  "description" TEXT,
  "events" TEXT[] NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'enabled' CHECK ("status" IN ('enabled', 'disabled')),
  -- user, gone (it answered 410) or failing (five days without a success).
  "disabled_reason" TEXT CHECK ("disabled_reason" IN ('user', 'gone', 'failing')),
  "disabled_at" TIMESTAMPTZ(6),
  -- Encrypted with SECRETS_KEY and bound to the endpoint's id.
  "secret" TEXT NOT NULL,
  -- The one before, until its overlap ends.
  "old_secret" TEXT,
  "old_secret_expires_at" TIMESTAMPTZ(6),
  -- Attempts that failed since the last success, and since when.
  "failures" INTEGER NOT NULL DEFAULT 0,
  "failing_since" TIMESTAMPTZ(6),
  -- The circuit is open: nothing is sent before.
  "paused_until" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "webhook_endpoints_account_id_idx" ON "webhook_endpoints" ("account_id");

-- What happened --------------------------------------------------------------------------------------------------------

-- Written in the transaction of its cause. Ids and figures only, never an address.
CREATE TABLE "webhook_events" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "type" TEXT NOT NULL,
  "data" JSONB NOT NULL,
  -- An event that happens once: a second one of the same name is not written.
  "once_key" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "webhook_events_account_id_created_at_idx" ON "webhook_events" ("account_id", "created_at");
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events" ("created_at");
CREATE UNIQUE INDEX "webhook_events_once_idx" ON "webhook_events" ("account_id", "once_key") WHERE "once_key" IS NOT NULL;

-- The outbox: one event for one endpoint, until it has arrived or was given up.
CREATE TABLE "webhook_deliveries" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "event_id" TEXT NOT NULL REFERENCES "webhook_events" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "endpoint_id" TEXT NOT NULL REFERENCES "webhook_endpoints" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "status" TEXT NOT NULL DEFAULT 'pending' CHECK ("status" IN ('pending', 'delivered', 'failed')),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  -- Attempts before somebody asked for it again: the schedule begins anew.
  "attempts_before" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- It is in the queue; when this passes without an outcome, it is queued again.
  "queued_until" TIMESTAMPTZ(6),
  -- Of the last attempt.
  "response_status" INTEGER,
  "error" TEXT,
  "finished_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries" ("event_id", "endpoint_id");
CREATE INDEX "webhook_deliveries_account_id_created_at_id_idx" ON "webhook_deliveries" ("account_id", "created_at", "id");
CREATE INDEX "webhook_deliveries_endpoint_id_idx" ON "webhook_deliveries" ("endpoint_id");
CREATE INDEX "webhook_deliveries_pending_idx" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_queued_idx" ON "webhook_deliveries" ("endpoint_id")
  WHERE "status" = 'pending' AND "queued_until" IS NOT NULL;

CREATE TABLE "webhook_attempts" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "delivery_id" TEXT NOT NULL REFERENCES "webhook_deliveries" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "attempted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "duration_ms" INTEGER NOT NULL,
  "response_status" INTEGER,
  "error" TEXT,
  -- The first bytes of the answer, for whoever looks for the fault.
  "response_head" TEXT
);
CREATE INDEX "webhook_attempts_delivery_id_idx" ON "webhook_attempts" ("delivery_id");

-- An id as packages/domain/src/id.ts makes them: a prefix and a ULID.
CREATE FUNCTION "new_id"("p_prefix" TEXT) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  "v_letters" CONSTANT TEXT := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  "v_ms" BIGINT := floor(extract(epoch FROM clock_timestamp()) * 1000);
  "v_random" BYTEA := uuid_send(gen_random_uuid());
  "v_id" TEXT := '';
BEGIN
  FOR "i" IN 1..10 LOOP
    "v_id" := substr("v_letters", ("v_ms" % 32)::integer + 1, 1) || "v_id";
    "v_ms" := "v_ms" / 32;
  END LOOP;
  FOR "i" IN 0..15 LOOP
    "v_id" := "v_id" || substr("v_letters", (get_byte("v_random", "i") & 31) + 1, 1);
  END LOOP;
  RETURN "p_prefix" || '_' || "v_id";
END $$;

-- Writes an event and a delivery for each endpoint that wants it; to be called in the transaction of the cause. Returns
-- the event's id, or null when an event of this `p_once` was written before or the account is gone.
-- An endpoint that somebody deletes at this moment is waited for and left out: it must not make the cause fail.
CREATE FUNCTION "enqueue_webhook_event"(
  "p_account" TEXT, "p_type" TEXT, "p_data" JSONB, "p_once" TEXT DEFAULT NULL, "p_id" TEXT DEFAULT NULL
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  "v_event" TEXT;
BEGIN
  -- A restore brings its own events.
  IF current_setting('verdict.restoring', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO "webhook_events" ("id", "account_id", "type", "data", "once_key")
  SELECT coalesce("p_id", "new_id"('evt')), a."id", "p_type", "p_data", "p_once"
  FROM "accounts" a WHERE a."id" = "p_account" FOR KEY SHARE OF a
  ON CONFLICT DO NOTHING
  RETURNING "id" INTO "v_event";
  IF "v_event" IS NULL THEN RETURN NULL; END IF;
  INSERT INTO "webhook_deliveries" ("id", "account_id", "event_id", "endpoint_id")
  SELECT "new_id"('whd'), e."account_id", "v_event", e."id"
  FROM "webhook_endpoints" e
  WHERE e."account_id" = "p_account" AND e."status" = 'enabled' AND "p_type" = ANY (e."events")
  FOR KEY SHARE OF e;
  RETURN "v_event";
END $$;

-- Causes that are rows of their own: whoever writes the row, the dashboard, the operator or a schedule, writes the event.

CREATE FUNCTION "tell_of_key"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.created', jsonb_build_object('key_id', NEW."id"));
    RETURN NULL;
  END IF;
  IF NEW."secret_hash" <> OLD."secret_hash" THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.rolled', jsonb_build_object('key_id', NEW."id"));
  END IF;
  IF NEW."status" = 'revoked' AND OLD."status" <> 'revoked' THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.revoked', jsonb_build_object('key_id', NEW."id"));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "api_keys_told" AFTER INSERT OR UPDATE OF "secret_hash", "status" ON "api_keys"
  FOR EACH ROW EXECUTE FUNCTION "tell_of_key"();

-- When a plan is in force, not when it was asked for. An account's first plan is no change.
CREATE FUNCTION "tell_of_plan"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(NEW."account_id", 'plan.changed', jsonb_build_object('from_plan', NEW."from_plan",
    'plan', NEW."to_plan", 'effective_at', to_char(NEW."effective_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')));
  RETURN NULL;
END $$;
CREATE TRIGGER "plan_changes_told" AFTER INSERT ON "plan_changes"
  FOR EACH ROW WHEN (NEW."applied_at" IS NOT NULL AND NEW."from_plan" IS NOT NULL)
  EXECUTE FUNCTION "tell_of_plan"();
CREATE TRIGGER "plan_changes_applied_told" AFTER UPDATE OF "applied_at" ON "plan_changes"
  FOR EACH ROW WHEN (OLD."applied_at" IS NULL AND NEW."applied_at" IS NOT NULL AND NEW."from_plan" IS NOT NULL)
  EXECUTE FUNCTION "tell_of_plan"();

CREATE FUNCTION "tell_of_statement"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(s."account_id", 'statement.closed',
    jsonb_build_object('month', to_char(s."month", 'YYYY-MM'), 'checksum', s."checksum"))
  FROM "written" s;
  RETURN NULL;
END $$;
CREATE TRIGGER "statements_told" AFTER INSERT ON "statements"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "tell_of_statement"();
