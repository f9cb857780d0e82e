-- Rules ask about country and autonomous system too, so the text beside a check holds the whole network: "vpn DE 64500".
ALTER TABLE "check_logs" RENAME COLUMN "ip_kind" TO "ip_network";
ALTER TABLE "test_check_logs" RENAME COLUMN "ip_kind" TO "ip_network";
