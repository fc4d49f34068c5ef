-- False while the delivery waits for another attempt. A claim looked at each webhook that had any delivery, due or not: with retries
-- of 10,000 webhooks hours away, each claim of an idle worker took 60 ms, and claims are made one at a time, twice a second.
ALTER TABLE jobs.webhook_dues ADD COLUMN is_due boolean NOT NULL DEFAULT true;
