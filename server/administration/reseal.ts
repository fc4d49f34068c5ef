import { sealedAnew } from '../modules/auth/two-factor/second-factor.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import { CommandError, type Operator } from './operator.ts';
import { resealSources } from './reseal-sources.ts';

/** Rows per transaction: few enough that no sign-in waits for them. */
const BATCH = 500;

/**
 * Re-encrypts the keys of inventory sources and the TOTP secrets of all authenticators with the current APP_SECRET, so
 * the older secrets can be removed. Safe to repeat and to run while people sign in: rows that changed in between are left alone and counted.
 * @throws {CommandError} when some are sealed under a secret that is not configured, or were changed meanwhile.
 */
export async function reseal(operator: Operator): Promise<void> {
  const sources = await resealSources(operator);
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
    `Re-encrypted ${anew} TOTP secrets; ${all - others} of ${all} now use the current secret.`,
  );
  operator.say(
    `Re-encrypted ${sources.anew} keys of inventory sources; ${sources.all - sources.lost} of ${sources.all} now use the current secret.`,
  );
  if (sources.lost > 0) {
    throw new CommandError(
      `Keys of inventory sources encrypted with a secret that is not configured: ${sources.lost}. Append that secret to APP_SECRET and repeat, or set those sources again.`,
    );
  }
  if (lost > 0) {
    throw new CommandError(
      `Encrypted with a secret that is not configured: ${lost}. Append that secret to APP_SECRET and repeat, or remove those second factors (user reset-2fa <email>).`,
    );
  }
  if (others > 0) {
    throw new CommandError(
      `Encrypted with another secret in the meantime: ${others}. Restart every process with the new secret first, then repeat.`,
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

/** A sealed value begins with the id of its key. */
const OTHERS = `
  SELECT u.id, u.totp_secret AS secret FROM identity.users u
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
