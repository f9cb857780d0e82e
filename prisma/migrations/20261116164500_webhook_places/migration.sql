-- How many messages may be under way to the endpoint. A slow answer halves it, a quick one adds one, up to four.
ALTER TABLE "webhook_endpoints" ADD COLUMN "places" SMALLINT NOT NULL DEFAULT 4 CHECK ("places" BETWEEN 1 AND 4);
COMMENT ON COLUMN "webhook_deliveries"."queued_until" IS 'The lease: a worker sends the message until then. Afterwards it is due again.';
