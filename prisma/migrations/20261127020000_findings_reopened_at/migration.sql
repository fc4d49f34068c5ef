-- When a finding was last reopened. Null: never, or by a server of an earlier release. A later scan that sees the finding again
-- overwrites its delta and the time when it was last seen.
-- AlterTable
ALTER TABLE "findings" ADD COLUMN     "reopened_at" TIMESTAMPTZ(3);
