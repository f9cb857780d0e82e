-- The checks of a closed month by tag. Null in statements of before, whose text does not name them.
ALTER TABLE "statements" ADD COLUMN "by_tag" JSONB;
