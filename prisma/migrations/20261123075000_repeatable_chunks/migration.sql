-- What a later scan needs in order to repeat the results of a chunk instead of evaluating it again.

-- Null in `fingerprints`: the chunk cannot be repeated, or an earlier release evaluated it.
-- AlterTable
ALTER TABLE "scan_verdicts" ADD COLUMN     "evaluated_by" TEXT,
ADD COLUMN     "fingerprints" BYTEA,
ADD COLUMN     "same_until" TIMESTAMPTZ(3),
ADD COLUMN     "undecided" BOOLEAN NOT NULL DEFAULT false;
