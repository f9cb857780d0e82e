-- Finds the entry that says who a member was when the account removed them.
CREATE INDEX "audit_events_removed_members_idx" ON "audit_events" ("account_id", "target", "created_at")
  WHERE "action" IN ('member.removed', 'member.left');
