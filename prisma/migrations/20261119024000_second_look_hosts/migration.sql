-- Mail servers of throw-away services that a release knows otherwise than the one before.
ALTER TABLE "second_looks" ADD COLUMN "hosts" TEXT[] NOT NULL DEFAULT '{}';
