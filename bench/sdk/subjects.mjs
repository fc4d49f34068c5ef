// Everybody who is examined, ours first.

import { cspm } from '../../sdk/conformance/subjects/cspm.ts';
import { createClient } from '../../sdk/dist/index.js';
import { assemble } from '../../sdk/src/client.ts';
import { systemClock } from '../../sdk/src/clock.ts';
import { peers } from './peers.mjs';

/** In real time as it is shipped; where a case needs another time, the source that it is built from. */
const ours = cspm((options, clock) =>
  clock === systemClock ? createClient(options) : assemble(options, clock),
);

export const subjects = [ours, ...peers];
