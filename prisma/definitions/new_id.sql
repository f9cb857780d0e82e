-- An id as packages/domain/src/id.ts makes them: a prefix and a ULID.
CREATE OR REPLACE FUNCTION "new_id"("p_prefix" TEXT) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
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
