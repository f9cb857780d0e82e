-- Bulk jobs tell of themselves too: whoever ends or pauses one, a worker, its owner or the upkeep, writes the event with it.
CREATE OR REPLACE FUNCTION "tell_of_job"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(NEW."account_id", 'job.' || NEW."status", jsonb_build_object('job_id', NEW."id"));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "bulk_jobs_told" AFTER UPDATE OF "status" ON "bulk_jobs"
  FOR EACH ROW WHEN (NEW."status" <> OLD."status" AND NEW."status" IN ('completed', 'paused', 'failed'))
  EXECUTE FUNCTION "tell_of_job"();
