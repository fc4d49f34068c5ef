import type { Cspm, Webhook, WebhookDelivery } from '@cspm/sdk';
import type { Values } from '../arguments.ts';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { InputError, UsageError, unknownAction } from '../usage-error.ts';
import { forwardDeliveries } from '../webhook-forwarder.ts';

const OPTIONS = {
  to: { kind: 'text', value: 'url', help: 'create: where to send events.' },
  event: { kind: 'list', value: 'type', help: 'create: the events to send. See docs/webhooks.md.' },
  slack: { kind: 'switch', help: 'create: send Slack messages instead of events.' },
  'forward-to': {
    kind: 'text',
    value: 'url',
    help: 'listen: the receiver on this machine, as in http://localhost:4000/hook.',
  },
  count: { kind: 'text', value: 'number', help: 'listen: end after this many events.' },
  format: { kind: 'text', words: ['table', 'json'], help: 'The output format. Default: table.' },
  ...CONNECTION_OPTIONS,
} as const;

type Given = Values<typeof OPTIONS>;
type Action = (
  cspm: Cspm,
  given: Given,
  which: string | undefined,
  terminal: Terminal,
) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async list(cspm, { format }, _which, terminal) {
    const found = await all(cspm);
    if (format === 'json') return json(found, terminal);
    if (found.length === 0) say(terminal, 'There are no webhooks.');
    terminal.output.write(found.map(linesOf).join('\n'));
  },

  async create(cspm, given, _which, terminal) {
    const { to: url, event, slack, format } = given;
    if (url === undefined || event.length === 0) {
      throw new UsageError('webhooks create needs --to and --event.');
    }
    const webhook = await cspm.webhooks.create({
      // The service says which events there are.
      ...{ url, events: event as Webhook['events'] },
      format: slack ? 'slack' : 'standard',
    });
    if (format === 'json') return json(webhook, terminal);
    terminal.output.write(linesOf(webhook));
    terminal.output.write(`  secret    ${webhook.secret}\n`);
    say(terminal, 'Keep the secret now: it is not shown again.');
  },

  async test(cspm, { format }, which, terminal) {
    const { id } = await find(cspm, which);
    const delivery = await cspm.webhooks.test({ id });
    if (format === 'json') return json(delivery, terminal);
    say(terminal, `Queued the test event ${delivery.messageId}.`);
  },

  async deliveries(cspm, { format }, which, terminal) {
    const { id } = await find(cspm, which);
    const { items } = await cspm.webhooks.deliveries({ id, limit: 50 });
    if (format === 'json') return json(items, terminal);
    if (items.length === 0) say(terminal, 'There are no deliveries.');
    terminal.output.write(items.map(deliveryLine).join(''));
  },

  async listen(cspm, given, which, terminal) {
    const url = given['forward-to'];
    if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new UsageError('webhooks listen needs --forward-to with an http:// or https:// URL.');
    }
    const count = given.count === undefined ? Number.POSITIVE_INFINITY : Number(given.count);
    if (!(count >= 1)) throw new UsageError('--count must be a number from 1.');
    const webhooks = which === undefined ? await all(cspm) : [await find(cspm, which)];
    if (webhooks.length === 0) throw new UsageError('There are no webhooks. Create one first.');
    await forwardDeliveries(cspm, { webhooks, url, count }, terminal);
  },
};

export const webhooks = command({
  name: 'webhooks',
  usage:
    'cspm webhooks list|create|test|deliveries|listen [<id>] [--to <url> --event <type>] [--forward-to <url>]',
  summary: 'Lists, creates and tests webhooks, and forwards their events to this machine.',
  maxArguments: 2,
  options: OPTIONS,
  async run(values, terminal, [name = 'list', which]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) {
      throw unknownAction(name, Object.keys(ACTIONS));
    }
    if (which !== undefined && (name === 'list' || name === 'create')) {
      throw new UsageError(`Unexpected argument "${which}".`);
    }
    await action(await connect(values, terminal), values, which, terminal);
    return EXIT.ok;
  },
});

async function all(cspm: Cspm): Promise<Webhook[]> {
  const found: Webhook[] = [];
  for await (const webhook of cspm.webhooks.list({ limit: 100 })) found.push(webhook);
  return found;
}

/** @throws {InputError} when no webhook has that id */
async function find(cspm: Cspm, which: string | undefined): Promise<Webhook> {
  if (which === undefined) throw new UsageError('Missing argument: the webhook id.');
  const found = (await all(cspm)).find(({ id }) => id === which);
  if (found === undefined) throw new InputError(`No webhook has the id "${which}".`);
  return found;
}

function json(value: unknown, terminal: Terminal): void {
  terminal.output.write(`${JSON.stringify(value, null, 2)}\n`);
}

function linesOf({ id, url, events, format, enabled, disabledReason }: Webhook): string {
  const rows = [
    ['id', id],
    ['events', events.join(', ')],
    ['format', format],
    ['state', enabled ? 'enabled' : (disabledReason?.message ?? 'disabled')],
  ];
  const lines = rows.map(([label = '', text = '']) => `  ${label.padEnd(9)} ${printable(text)}`);
  return `${printable(url)}\n${lines.join('\n')}\n`;
}

function deliveryLine({ id, createdAt, type, status, attempts }: WebhookDelivery): string {
  const problem = attempts.at(-1)?.problem ?? '';
  return `${createdAt}  ${status.padEnd(9)}  ${type}  ${id}  ${printable(problem)}`
    .trimEnd()
    .concat('\n');
}
