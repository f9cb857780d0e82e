-- Whether members hear of an attack by mail, when it begins and when it is over.
ALTER TABLE "accounts" ADD COLUMN "burst_mails" BOOLEAN NOT NULL DEFAULT true;
