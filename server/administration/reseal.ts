import { keyRing } from '../identity/app-secrets.ts';
import { sealedAnew } from '../identity/second-factor.ts';
import { CommandError, type Operator } from './operator.ts';

/** Rows of one transaction: few enough that nobody who signs in waits for them. */
const BATCH = 500;

/**
 * Seals the secrets of all authenticators under the first of the application's secrets, so that the others can be left
 * out. Safe while people sign in, and to repeat: what changed in between is left as it is, and counted.
 * @throws {CommandError} when some are sealed under a secret that is not configured, or were changed meanwhile.
 */
export async function reseal(operator: Operator): Promise<void> {
  const keys = keyRing(await operator.appSecrets(), 'totp');
  const current = Buffer.from(keys.current.id, 'hex');
  let [after, anew, lost] = ['00000000-0000-0000-0000-000000000000', 0, 0];
  for (;;) {
    const { rows } = await operator.pool.query<Sealed>(OTHERS, [current, after, BATCH]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const opened = rows.flatMap(({ id, secret }) => {
      const sealed = sealedAnew(keys, id, secret);
      return sealed === null ? [] : [{ id, secret, sealed }];
    });
    lost += rows.length - opened.length;
    const { rowCount } = await operator.pool.query(RESEAL, [
      opened.map(({ id }) => id),
      opened.map(({ secret }) => secret),
      opened.map(({ sealed }) => sealed),
    ]);
    anew += rowCount ?? 0;
  }
  const { rows } = await operator.pool.query<Counts>(COUNT, [current]);
  const { all, others } = rows[0] ?? { all: 0, others: 0 };
  operator.say(
    `${anew} sealed anew; ${all - others} of ${all} authenticators are under the first secret.`,
  );
  if (lost > 0) {
    throw new CommandError(
      `Sealed under a secret that is not configured: ${lost}. Put it behind the others in APP_SECRET and repeat, or take those second factors away (user reset-2fa <email>).`,
    );
  }
  if (others > 0) {
    throw new CommandError(
      `Sealed under another secret meanwhile: ${others}. Restart every process with the new secret first, and repeat.`,
    );
  }
}

interface Sealed {
  id: string;
  secret: Buffer;
}

interface Counts {
  all: number;
  others: number;
}

/** What is sealed begins with the id of its key. */
const OTHERS = `
  SELECT u.id, u.totp_secret AS secret FROM identity.users u
  WHERE u.totp_secret IS NOT NULL AND substring(u.totp_secret FROM 1 FOR 4) <> $1 AND u.id > $2
  ORDER BY u.id LIMIT $3`;

/** One that somebody enrolled, spent a code of or gave up in between is not the one that was read. */
const RESEAL = `
  UPDATE identity.users u SET totp_secret = anew.sealed
  FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS anew (id, secret, sealed)
  WHERE u.id = anew.id AND u.totp_secret = anew.secret`;

const COUNT = `
  SELECT count(*)::int AS all, count(*) FILTER (WHERE substring(u.totp_secret FROM 1 FOR 4) <> $1)::int AS others
  FROM identity.users u WHERE u.totp_secret IS NOT NULL`;
