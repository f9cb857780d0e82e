-- Under which hashes the other spellings of an erased address were stored, so that the erasure can be applied again to rows
-- that come back from a backup.
ALTER TABLE "erasures" ADD COLUMN "spelling_hashes" TEXT[] NOT NULL DEFAULT '{}';

-- From where somebody acted is forgotten after a while; this finds what is left.
CREATE INDEX "audit_events_with_ip_idx" ON "audit_events" ("created_at") WHERE "ip" IS NOT NULL;
