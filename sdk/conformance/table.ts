import type { Case } from './case.ts';
import { abort } from './cases/abort.ts';
import { attempts } from './cases/attempts.ts';
import { budget } from './cases/budget.ts';
import { errors } from './cases/errors.ts';
import { jitter } from './cases/jitter.ts';
import { keys } from './cases/keys.ts';
import { observing } from './cases/observing.ts';
import { pacing } from './cases/pacing.ts';
import { refresh } from './cases/refresh.ts';
import { repetition } from './cases/repetition.ts';
import { results } from './cases/results.ts';
import { serverWait } from './cases/server-wait.ts';
import { stepUp } from './cases/step-up.ts';

/** All cases in the order of the specification. */
export const table: readonly Case[] = [
  ...repetition,
  ...keys,
  ...attempts,
  ...jitter,
  ...serverWait,
  ...budget,
  ...pacing,
  ...abort,
  ...refresh,
  ...stepUp,
  ...observing,
  ...errors,
  ...results,
];
