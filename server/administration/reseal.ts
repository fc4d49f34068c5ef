import { CommandError, type Operator } from './operator.ts';
import { resealAuthenticators } from './reseal-authenticators.ts';
import { resealSources } from './reseal-sources.ts';
import { resealWebhooks } from './reseal-webhooks.ts';
import type { Resealed } from './resealed.ts';

interface Kind {
  readonly name: string;
  readonly remedy: string;
  run(operator: Operator): Promise<Resealed>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'TOTP secrets',
    remedy: 'remove the second factor of each account (user reset-2fa <email>)',
    run: resealAuthenticators,
  },
  {
    name: 'keys of inventory sources',
    remedy: 'set each source again with a key',
    run: resealSources,
  },
  {
    name: 'signing secrets of webhooks',
    remedy: 'rotate the secret of each webhook and give the new one to its receiver',
    run: resealWebhooks,
  },
];

/**
 * Re-encrypts every kind of stored secret with the current APP_SECRET, so the older secrets can be removed. It fails only
 * after all kinds: an operator who has not seen the counts of all could remove a secret that is still needed. Safe to repeat.
 * @throws {CommandError} when some are encrypted with a secret that is not configured, were changed meanwhile, or could not be read.
 */
export async function reseal(operator: Operator): Promise<void> {
  const faults: string[] = [];
  for (const kind of KINDS) {
    const result = await kind.run(operator);
    operator.say(
      `Re-encrypted ${result.anew} ${kind.name}; ${result.current} of ${result.all} now use the current secret.`,
    );
    faults.push(...faultsOf(kind, result));
  }
  if (faults.length > 0) throw new CommandError(faults.join('\n'));
}

function faultsOf(
  { name, remedy }: Kind,
  { all, current, lost, owners, unavailable }: Resealed,
): string[] {
  const faults: string[] = [];
  if (unavailable?.isEmpty === false) {
    faults.push(
      `Not read: the ${name} of tenants that are being moved or deleted, or whose cell does not answer. Finish the move or deletion, or wait for the cell, then repeat: ${unavailable}.`,
    );
  }
  if (lost > 0) {
    faults.push(
      `Encrypted with a secret that is not configured: ${lost} ${name}. Append that secret to APP_SECRET and repeat. If it is lost, ${remedy}: ${owners}.`,
    );
  }
  const others = all - current - lost;
  if (others > 0) {
    faults.push(
      `Encrypted with another secret in the meantime: ${others} ${name}. Restart every process with the new secret first, then repeat.`,
    );
  }
  return faults;
}
