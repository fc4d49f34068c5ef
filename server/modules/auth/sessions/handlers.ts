import { idAfter, pageFrom } from '../../../platform/cursor.ts';
import type { HandlersOf } from '../../../platform/handler.ts';
import { sessionOf } from '../../../platform/principal.ts';
import { notFound } from '../../../platform/problem.ts';
import { endSession, listSessions, reachOf, type SessionRow } from './queries.ts';

export const sessions: HandlersOf<'sessions'> = {
  async list({ input: { query }, principal, db, origin }) {
    const session = sessionOf(principal);
    const rows = await listSessions(db, reachOf(session), {
      before: idAfter(query.cursor),
      most: query.limit + 1,
      at: origin.at,
    });
    const view = (row: SessionRow) => sessionView(row, session.sessionId);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, view) };
  },

  async revoke({ input: { params }, principal, db, origin, audit }) {
    const reach = reachOf(sessionOf(principal));
    if (!(await endSession(db, reach, params.id, origin.at))) throw notFound();
    audit({ subject: params.id });
    return { status: 204, body: undefined };
  },
};

function sessionView(row: SessionRow, currentId: string) {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    current: row.id === currentId,
    mfa: row.amr.includes('otp'),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
