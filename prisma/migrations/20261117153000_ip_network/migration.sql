-- Rules ask about country and autonomous system too, so the text beside a check holds the whole network: "vpn DE 64500". Rows of
-- workers that still run have the kind alone in ip_kind; a later release removes that column.
ALTER TABLE "check_logs" ADD COLUMN "ip_network" TEXT;
ALTER TABLE "test_check_logs" ADD COLUMN "ip_network" TEXT;
