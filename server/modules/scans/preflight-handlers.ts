import type { HandlersOf } from '../../platform/handler.ts';
import { preflightView, runPreflight } from './preflight.ts';

export const preflight: HandlersOf<'preflight'> = {
  async run({ input: { body }, principal, db, origin, remaining }) {
    const { permissions } = principal;
    const caller = { permissions, launchesLeft: await remaining('scans') };
    const report = await runPreflight(db, body, caller, origin.at, { expiring: 'checked' });
    return { status: 200, body: preflightView(report, origin.at) };
  },
};
