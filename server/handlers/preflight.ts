import type { HandlersOf } from '../pipeline/handler.ts';
import { preflightView, runPreflight } from '../scans/preflight.ts';

export const preflight: HandlersOf<'preflight'> = {
  async run({ input: { body }, db, origin }) {
    const report = await runPreflight(db, body, origin.at);
    return { status: 200, body: preflightView(report, origin.at) };
  },
};
