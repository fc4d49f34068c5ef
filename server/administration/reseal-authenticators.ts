import { sealedAnew } from '../modules/auth/two-factor/second-factor.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import type { Operator } from './operator.ts';
import { Owners, type Resealed } from './resealed.ts';

/** Rows per transaction: few enough that no sign-in waits for them. */
const BATCH = 500;

/**
 * Re-encrypts the TOTP secrets of all authenticators with the current APP_SECRET. Safe to repeat and to run while people
 * sign in: rows that changed in between are left alone and counted.
 */
export async function resealAuthenticators(operator: Operator): Promise<Resealed> {
  const keys = keyRing(await operator.appSecrets(), 'totp');
  const current = Buffer.from(keys.current.id, 'hex');
  const owners = new Owners();
  let [after, anew, lost] = ['00000000-0000-0000-0000-000000000000', 0, 0];
  for (;;) {
    const { rows } = await operator.pool.query<Sealed>(OTHERS, [current, after, BATCH]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const opened = rows.flatMap(({ id, email, secret }) => {
      const sealed = sealedAnew(keys, id, secret);
      if (sealed !== null) return [{ id, secret, sealed }];
      lost += 1;
      owners.add(email);
      return [];
    });
    const { rowCount } = await operator.pool.query(RESEAL, [
      opened.map(({ id }) => id),
      opened.map(({ secret }) => secret),
      opened.map(({ sealed }) => sealed),
    ]);
    anew += rowCount ?? 0;
  }
  const { rows } = await operator.pool.query<Counts>(COUNT, [current]);
  const { all, others } = rows[0] ?? { all: 0, others: 0 };
  return { anew, all, current: all - others, lost, owners };
}

interface Sealed {
  id: string;
  email: string;
  secret: Buffer;
}

interface Counts {
  all: number;
  others: number;
}

/** A sealed value begins with the id of its key. */
const OTHERS = `
  SELECT u.id, u.email, u.totp_secret AS secret FROM identity.users u
  WHERE u.totp_secret IS NOT NULL AND substring(u.totp_secret FROM 1 FOR 4) <> $1 AND u.id > $2
  ORDER BY u.id LIMIT $3`;

/** The comparison skips a row that was re-enrolled, used or removed since it was read. */
const RESEAL = `
  UPDATE identity.users u SET totp_secret = anew.sealed
  FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS anew (id, secret, sealed)
  WHERE u.id = anew.id AND u.totp_secret = anew.secret`;

const COUNT = `
  SELECT count(*)::int AS all, count(*) FILTER (WHERE substring(u.totp_secret FROM 1 FOR 4) <> $1)::int AS others
  FROM identity.users u WHERE u.totp_secret IS NOT NULL`;
