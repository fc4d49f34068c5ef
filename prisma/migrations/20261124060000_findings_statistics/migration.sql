-- No plan depends on statistics of these columns. Comparing them is most of the cost of ANALYZE, which runs after each large scan.
ALTER TABLE "findings"
  ALTER COLUMN "subject" SET STATISTICS 0,
  ALTER COLUMN "evidence" SET STATISTICS 0,
  ALTER COLUMN "asset_labels" SET STATISTICS 0;
