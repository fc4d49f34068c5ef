// All examined clients, ours first.

import { cspm } from '../../sdk/conformance/subjects/cspm.ts';
import { createClient } from '../../sdk/dist/index.js';
import { assemble } from '../../sdk/src/client.ts';
import { systemClock } from '../../sdk/src/system-clock.ts';
import { peers } from './peers.mjs';

/** The shipped client in real time; the source it is built from for cases with a fake clock. */
const ours = cspm((options, clock) =>
  clock === systemClock ? createClient(options) : assemble(options, clock),
);

export const subjects = [ours, ...peers];
