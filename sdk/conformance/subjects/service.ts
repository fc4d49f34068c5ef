import type { Ability, CallName, Route } from '../subject.ts';

const TOKENS = { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 900 };
export const SCAN = { id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36', status: 'queued' };

/** The routes of our service. */
export const routes: Readonly<Record<CallName, Route>> = {
  read: { at: `GET /scans/${SCAN.id}`, answer: { body: SCAN } },
  check: { at: 'POST /preflight', answer: { body: { decision: 'ready' } } },
  remove: { at: 'DELETE /projects/shop-prod', answer: { status: 204 } },
  create: { at: 'POST /scans', answer: { status: 202, body: SCAN } },
  command: { at: 'POST /auth/login', answer: { body: TOKENS } },
};

/** The abilities of our client. */
export const abilities: ReadonlySet<Ability> = new Set([
  'attempt-bound',
  'contract-limits',
  'deadline',
  'families',
  'hooks',
  'pacing-off',
  'problems',
  'session',
  'signal',
  'step-up',
  'stored',
  'supplied',
]);

export const list = {
  at: 'GET /projects',
  /** Each page with the cursor of the next. */
  pages: (names: readonly (readonly string[])[]) =>
    names.map((page, at) => ({
      body: {
        items: page.map((name) => ({ name })),
        nextCursor: at + 1 < names.length ? `c${at + 1}` : null,
      },
    })),
};

/**
 * The events of a scan, which name their item in place of the profile. The last event reports that the scan is done.
 */
export const stream = {
  at: `GET /scans/${SCAN.id}/events`,
  reply: (items: readonly string[], open: boolean) => ({
    headers: { 'content-type': 'text/event-stream' },
    pieces: items.map((profile, at) => {
      const done = !open && at + 1 === items.length;
      const data = JSON.stringify({ ...SCAN, profile, status: done ? 'completed' : 'running' });
      return `id: ${at + 1}\nevent: ${done ? 'done' : 'progress'}\ndata: ${data}\n\n`;
    }),
  }),
};
