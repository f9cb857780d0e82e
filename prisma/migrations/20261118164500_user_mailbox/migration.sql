-- One account per mailbox: spellings that are delivered to the same mailbox are one user. Users of earlier releases keep
-- their address as their mailbox.
ALTER TABLE "users" ADD COLUMN "mailbox" TEXT;
UPDATE "users" SET "mailbox" = "email";
CREATE UNIQUE INDEX "users_mailbox_key" ON "users"("mailbox");
