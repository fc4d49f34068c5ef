import { expect, it } from 'vitest';
import { documentedCodes } from '../tests/kit/documented.ts';
import { Schedule } from './schedules.ts';
import { WEBHOOK_PAYLOADS } from './webhook-events.ts';

it('docs/webhooks.md describes every type of event, and no other', () => {
  expect(documentedCodes('webhooks.md', '## Events').toSorted()).toEqual(
    Object.keys(WEBHOOK_PAYLOADS).toSorted(),
  );
});

it('docs/schedules.md describes every status of the last run, and no other', () => {
  const { status } = Schedule.shape.lastRun.unwrap().shape;
  expect(documentedCodes('schedules.md', '## Runs').toSorted()).toEqual(status.options.toSorted());
});
