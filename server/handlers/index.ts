import type { Handlers } from '../pipeline/handler.ts';
import { apiKeys } from './api-keys.ts';
import { auth } from './auth.ts';
import { findings } from './findings.ts';
import { meta } from './meta.ts';
import { preflight } from './preflight.ts';
import { profiles } from './profiles.ts';
import { projects } from './projects.ts';
import { rules } from './rules.ts';
import { scans } from './scans.ts';

/** One file for each resource of the contract, with the same names. */
export const handlers: Handlers = {
  auth,
  apiKeys,
  projects,
  preflight,
  scans,
  findings,
  rules,
  profiles,
  meta,
};
