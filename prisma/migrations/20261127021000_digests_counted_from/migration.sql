-- When the first scan of the next e-mail began. Null: there is nothing to tell, or a server of an earlier release counted it.
-- AlterTable
ALTER TABLE "notification_settings" ADD COLUMN     "counted_from" TIMESTAMPTZ(3);
