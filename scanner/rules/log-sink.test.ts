import { expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { resolveProfile } from '../profile.ts';
import { assetOf } from '../testing/asset.ts';
import { snapshotOf } from '../testing/snapshot.ts';

it.each([
  [1, 'The only sink of the project, its folders or its organization does not export all logs of'],
  [2, 'None of the 2 sinks of the project, its folders or its organization exports all logs of'],
])('a finding about %i sinks without all logs agrees in number', (count, message) => {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const sinks = Array.from({ length: count }, (_, at) =>
    assetOf({
      type: 'logging.googleapis.com/LogSink',
      name: `//logging.googleapis.com/projects/p/sinks/s${at}`,
      data: { filter: 'severity>=ERROR' },
    }),
  );
  const evaluator = new Evaluator(profile, { now: new Date(0), snapshot: snapshotOf(sinks) });
  const messages = evaluator
    .evaluateProjects()
    .flatMap(({ evaluations }) => evaluations)
    .filter(({ ruleId }) => ruleId === 'log-sink-all')
    .flatMap(({ findings }) => findings.map((finding) => finding.message));
  expect(messages).toEqual([`${message} the project.`]);
});
