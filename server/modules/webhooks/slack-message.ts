import type { WebhookPayloads } from '@cspm/contract';
import { cutAt } from '@cspm/scanner';

type Payload = WebhookPayloads[keyof WebhookPayloads];
type Counts = WebhookPayloads['findings.opened']['data']['bySeverity'];

/** The limit of a text block is 3000 characters. */
const MAX_CHARACTERS = 2_900;
const MAX_FINDINGS = 10;
const MAX_NAME = 120;

/** An event as Slack's incoming webhooks take it. */
export function slackMessage(event: Payload): {
  readonly text: string;
  readonly blocks: readonly object[];
} {
  const [title, ...lines] = linesOf(event);
  const markdown = cutAt([`*${title}*`, ...lines].join('\n'), MAX_CHARACTERS)
    // An escaped character that was cut.
    .replace(/&[a-z]*$/, '');
  return {
    // Shown in notifications.
    text: title ?? event.type,
    // Verbatim: Slack does not turn names such as @here and bare URLs into mentions and links.
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: markdown, verbatim: true } }],
  };
}

/** The title, and the lines below it; all texts of tenants in it are escaped. */
function linesOf(event: Payload): string[] {
  switch (event.type) {
    case 'scan.completed':
    case 'scan.failed': {
      const { projects, findings, profile, status } = event.data;
      const failed = projects.filter(({ error }) => error !== null);
      return [
        `Scan ${status}: ${namesOf(projects.map(({ name }) => name))}`,
        `Profile ${escaped(profile)}: ${findings.new} new, ${findings.reopened} reopened, ${findings.resolved} resolved, ${findings.unchanged} unchanged`,
        ...failed.slice(0, MAX_FINDINGS).map(({ name, error }) => `${name}: ${escaped(error)}`),
      ];
    }
    case 'findings.opened':
    case 'findings.resolved': {
      const { total, project, bySeverity, findings } = event.data;
      const what = event.type === 'findings.opened' ? 'opened' : 'resolved';
      const shown = findings.slice(0, MAX_FINDINGS);
      return [
        `${total} ${total === 1 ? 'finding' : 'findings'} ${what} in ${project}`,
        countsOf(bySeverity),
        ...shown.map((f) => `• ${f.severity}: ${escaped(f.title)} (${escaped(f.asset.name)})`),
        ...(total > shown.length ? [`… and ${total - shown.length} more`] : []),
      ];
    }
    case 'schedule.disabled':
      return [`Schedule disabled: ${escaped(event.data.name)}`, `Reason: ${event.data.reason}`];
    case 'source.failed':
      return [`Inventory of ${event.data.project} not pulled`, escaped(event.data.problem)];
    case 'api_key.created': {
      const { name, prefix, user } = event.data;
      return [`API key created: ${escaped(name)}`, `${prefix} by ${escaped(user.email)}`];
    }
    case 'break_glass.used': {
      const { operation, reason, ip } = event.data;
      return [
        'The master key of the operator was used',
        `${operation} from ${ip}: ${escaped(reason)}`,
      ];
    }
    case 'sign_in.locked':
      return [
        'Sign-ins refused after failed attempts',
        `${escaped(event.data.user.email)} from ${event.data.ip}`,
      ];
    case 'webhook.test':
      return ['Test', event.data.message];
  }
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_FINDINGS).join(', ');
  return names.length > MAX_FINDINGS ? `${shown} and ${names.length - MAX_FINDINGS} more` : shown;
}

function countsOf(counts: Counts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(', ');
}

/** Slack's control characters; without them, a text can neither link nor mention anybody. */
function escaped(text: string | null): string {
  const short = text === null ? '-' : text.length > MAX_NAME ? `${cutAt(text, MAX_NAME)}…` : text;
  return short
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
