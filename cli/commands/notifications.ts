import type { Notifications } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError, unknownAction } from '../usage-error.ts';

/** Each digest, and what a person gets with it. */
const DIGESTS = {
  off: 'no e-mails',
  immediate: 'one e-mail for each scan',
  daily: 'one e-mail for the scans of a day, at 07:00 UTC',
  weekly: 'one e-mail for the scans of a week, on Mondays at 07:00 UTC',
} as const satisfies Record<Notifications['digest'], string>;

const OPTIONS = {
  digest: {
    kind: 'text',
    words: Object.keys(DIGESTS),
    help: 'set: when to get e-mails about new critical and high findings.',
  },
  format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
  ...CONNECTION_OPTIONS,
} as const;

export const notifications = command({
  name: 'notifications',
  usage: `cspm notifications show|set [--digest ${Object.keys(DIGESTS).join('|')}]`,
  summary: 'Shows and changes which e-mails you get about new findings.',
  maxArguments: 1,
  options: OPTIONS,
  async run({ digest, ...values }, terminal, [name = 'show']) {
    if (name !== 'show' && name !== 'set') {
      throw unknownAction(name, ['show', 'set']);
    }
    if (name === 'set' && digest === undefined) {
      throw new UsageError('notifications set needs --digest.');
    }
    if (name === 'show' && digest !== undefined) {
      throw new UsageError('--digest belongs to notifications set.');
    }
    const cspm = await connect(values, terminal);
    const found =
      digest === undefined
        ? await cspm.notifications.get()
        : // The option takes no other words.
          await cspm.notifications.update({ digest: digest as Notifications['digest'] });
    print(found, values.format, terminal);
    return EXIT.ok;
  },
});

function print(found: Notifications, format: string | undefined, { output }: Terminal): void {
  const { digest } = found;
  // A later service may know digests that are not in the list.
  const meaning = Object.hasOwn(DIGESTS, digest) ? ` (${DIGESTS[digest]})` : '';
  output.write(
    format === 'json'
      ? `${JSON.stringify(found, null, 2)}\n`
      : `digest    ${printable(digest)}${meaning}\n`,
  );
}
