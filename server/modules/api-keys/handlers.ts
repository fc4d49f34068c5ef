import { API_KEYS_MAX } from '@cspm/contract';
import { idAfter, pageFrom, wholeList } from '../../platform/cursor.ts';
import type { Statement } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { type Principal, sessionOf } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { apiKeyPrefix, holdSession, newApiKey } from '../auth/index.ts';
import { currentIdOf } from '../members/index.ts';
import { queueEvent } from '../webhooks/index.ts';

export const apiKeys: HandlersOf<'apiKeys'> = {
  async list({ input: { query }, principal, db }) {
    const asked = query.userId ?? principal.user?.id;
    if (asked !== principal.user?.id) demandAdmin(principal);
    // Shared credentials have no user and therefore no keys.
    if (asked === undefined) return { status: 200, body: wholeList([]) };
    const userId = await currentIdOf(db, asked);
    const rows = await db.sql<KeyRow>(LIST, [userId, idAfter(query.cursor), query.limit + 1]);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, keyView) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt);
    if (expiresAt !== null && expiresAt <= origin.at) {
      throw validationFailed([{ path: 'body.expiresAt', message: 'must be in the future' }]);
    }
    const id = newId();
    const { key, publicId, secretHash } = newApiKey();
    const session = sessionOf(principal);
    const { user, provider } = session;
    if (!(await holdSession(db, session))) {
      throw new ProblemError('UNAUTHORIZED', 'The session has ended.');
    }
    const [row] = await db.sql<{ active: number }>(ACTIVE, [user.id, origin.at]);
    if ((row?.active ?? 0) >= API_KEYS_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `You have ${API_KEYS_MAX} active API keys in this tenant, which is the limit. Revoke one first.`,
      );
    }
    await db.sql(CREATE, [
      id,
      publicId,
      user.id,
      body.name,
      secretHash,
      origin.at,
      expiresAt,
      provider === 'saml',
    ]);
    audit({ subject: id, detail: { name: body.name, prefix: apiKeyPrefix(publicId) } });
    await queueEvent(db, 'api_key.created', origin.at, {
      ...{ apiKeyId: id, name: body.name, prefix: apiKeyPrefix(publicId) },
      user: { id: user.id, email: user.email },
      expiresAt: expiresAt?.toISOString() ?? null,
    });
    return {
      status: 201,
      body: {
        id,
        name: body.name,
        prefix: apiKeyPrefix(publicId),
        key,
        createdAt: origin.at.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
      },
    };
  },

  async revoke({ input: { params }, principal, db, origin, audit }) {
    const anyones = principal.permissions.has('admin.users');
    const owner = anyones ? null : principal.user?.id;
    if (owner === undefined) throw notFound();
    const [revoked] = await db.sql<{ id: string; name: string; user_id: string }>(REVOKE, [
      params.id,
      owner,
      origin.at,
    ]);
    if (revoked === undefined) throw notFound();
    audit({ subject: revoked.id, detail: { name: revoked.name, userId: revoked.user_id } });
    return { status: 204, body: undefined };
  },
};

function demandAdmin(principal: Principal): void {
  if (principal.permissions.has('admin.users')) return;
  throw new ProblemError('FORBIDDEN', 'Keys of other users require the permission admin.users.', {
    members: { permission: 'admin.users' },
  });
}

interface KeyRow {
  id: string;
  public_id: string;
  user_id: string;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

function keyView(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: apiKeyPrefix(row.public_id),
    userId: row.user_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

const LIST: Statement = {
  name: 'keys-list',
  reason: 'function',
  text: 'SELECT * FROM identity.list_keys($1, $2, $3)',
};
const CREATE: Statement = {
  name: 'key-create',
  reason: 'function',
  text: 'SELECT identity.create_session_key($1, $2, $3, $4, $5, $6, $7, $8)',
};
/** Lets one request of a person count at a time, so that requests at the same moment cannot exceed the limit. */
const ACTIVE: Statement = {
  name: 'keys-active',
  reason: 'function',
  text: 'SELECT identity.active_keys($1, $2) AS active',
};
const REVOKE: Statement = {
  name: 'key-revoke',
  reason: 'function',
  text: 'SELECT * FROM identity.revoke_key($1, $2, $3)',
};
