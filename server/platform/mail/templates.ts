import { withoutInvisible } from '../display-name.ts';
import { visible } from '../visible-text.ts';
import type { WebAddress } from '../web-address.ts';
import type { Mail, MailData, MailTemplate, Message } from './mail.ts';

/** The content of a mail: a subject, paragraphs, and at most one action. */
interface Words {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A list after the paragraphs. */
  readonly items?: readonly string[];
  readonly action?: { readonly label: string; readonly link: string };
  /** Small print after the action. */
  readonly after?: string;
  /** A link at the end that unsubscribes the recipient. */
  readonly unsubscribe?: string;
}

type Templates = { readonly [T in MailTemplate]: (data: MailData[T], web: WebAddress) => Words };

const WHAT_CHANGED: Readonly<Record<MailData['two-factor-changed']['change'], string>> = {
  enabled: 'An authenticator was enabled',
  disabled: 'The authenticator was removed',
  'recovery-codes': 'New recovery codes replaced the old ones',
};

const WHY_DISABLED: Readonly<Record<MailData['schedules-disabled']['reason'], string>> = {
  CREATOR_REMOVED: 'has left the tenant',
  CREATOR_DISABLED: 'has a disabled account',
  CREATOR_NOT_PERMITTED: 'no longer has the permission scans.launch',
};

const WHY_WEBHOOK_DISABLED: Readonly<Record<MailData['webhook-disabled']['reason'], string>> = {
  GONE: 'its receiver answered with status 410, which asks for no further events',
  FAILING: 'every attempt to deliver an event has failed for five days',
};

const HOW_OFTEN: Readonly<Record<MailData['digest']['digest'], string>> = {
  immediate: 'after each scan',
  daily: 'once a day',
  weekly: 'once a week',
};

/**
 * The texts of all mails. The only text of a third party in a mail is the name of a tenant in its own invitations, the
 * reason in its own alarm, and the findings in the digests that its members ask for, so our mails cannot carry other
 * people's messages.
 */
const TEMPLATES: Templates = {
  'verify-email': ({ token }, web) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'An account was registered with this e-mail address. Confirm the address to sign in.',
    ],
    action: { label: 'Confirm the address', link: web.page('/verify-email', { token }) },
    after:
      'The link is valid for 48 hours and can be used once. If you did not register, do not follow it: the person who registered could then sign in with your address.',
  }),

  'reset-password': ({ token }, web) => ({
    subject: 'Choose a new password',
    paragraphs: ['A new password was requested for your account.'],
    action: { label: 'Choose a new password', link: web.page('/reset-password', { token }) },
    after:
      'The link is valid for one hour and can be used once. If you did not request it, ignore this mail; your password does not change.',
  }),

  invitation: ({ token, tenantName, newPerson }, web) => ({
    subject: `Invitation to ${tenantName}`,
    paragraphs: [
      `You are invited to join ${quoted(tenantName)}.`,
      newPerson
        ? 'Choose a password to accept.'
        : 'You already have an account and keep its password.',
    ],
    action: newPerson
      ? { label: 'Choose a password', link: web.page('/reset-password', { token }) }
      : { label: 'Accept the invitation', link: web.page('/accept-invite', { token }) },
    after:
      'The link is valid for 7 days and can be used once. If you did not expect the invitation, ignore this mail.',
  }),

  'account-exists': () => ({
    subject: 'You already have an account',
    paragraphs: [
      'Somebody tried to register an account with this e-mail address. You already have an account, and it was not changed.',
      'If this was you, sign in or request a new password on the sign-in page. Otherwise you do not need to do anything.',
    ],
  }),

  'password-changed': ({ at, ip }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed at ${at.toISOString()} from the IP address ${ip}. All other sessions have ended.`,
      'If this was not you, request a new password immediately and inform your administrator.',
    ],
  }),

  'password-set': ({ at, ip }) => ({
    subject: 'Your password was set',
    paragraphs: [
      `An invitation to your e-mail address was accepted and the password of your account was set at ${at.toISOString()} from the IP address ${ip}.`,
      'If this was not you, request a new password immediately and inform your administrator.',
    ],
  }),

  'two-factor-changed': ({ change, at, ip }) => ({
    subject: 'The second factor of your account was changed',
    paragraphs: [
      `${WHAT_CHANGED[change]} at ${at.toISOString()} from the IP address ${ip}.`,
      'If this was not you, change your password immediately, end all sessions and inform your administrator.',
    ],
  }),

  'google-linked': ({ at, ip }) => ({
    subject: 'You can now sign in with Google',
    paragraphs: [
      `Somebody signed in to your account with a Google account of this e-mail address at ${at.toISOString()} from the IP address ${ip}. That Google account can sign in to your account from now on.`,
      'If this was not you, inform your administrator immediately: somebody has a Google account with your e-mail address.',
    ],
  }),

  'confirm-sign-in': ({ token, at, ip }) => ({
    subject: 'Confirm your sign-in',
    paragraphs: [
      `Somebody signed in to your account through the identity provider of your tenant at ${at.toISOString()} from the IP address ${ip}.`,
      'If this was you, copy this code into the page where you signed in:',
      token,
      'The code expires 10 minutes after the sign-in. If this was not you, do not share the code and inform your administrator: somebody can use the identity provider in your name.',
    ],
  }),

  'single-sign-on-changed': ({ tenantName, change, by, at, ip }) => ({
    subject: `Single sign-on of ${tenantName} was changed`,
    paragraphs: [
      `The identity provider of your tenant ${quoted(tenantName)} was ${change} by ${by} at ${at.toISOString()} from the IP address ${ip}.`,
      'An identity provider can sign in as any member whose address it may vouch for. If you did not expect this change, check the single sign-on settings and the audit trail.',
      'You receive this mail because you are an administrator of the tenant.',
    ],
  }),

  'schedules-disabled': ({ tenantName, count, reason, at }) => ({
    subject: `Scheduled scans of ${tenantName} have stopped`,
    paragraphs: [
      `${count === 1 ? 'A schedule' : `${count} schedules`} of your tenant ${quoted(tenantName)} ${count === 1 ? 'was' : 'were'} disabled at ${at.toISOString()}, because ${count === 1 ? 'its' : 'their'} owner ${WHY_DISABLED[reason]}.`,
      'No further scans are launched until somebody enables a schedule again. It then acts with the permissions of that person. The audit trail lists the disabled schedules.',
      'You receive this mail because you are an administrator of the tenant.',
    ],
  }),

  'webhook-disabled': ({ tenantName, host, reason, at }) => ({
    subject: `A webhook of ${tenantName} was disabled`,
    paragraphs: [
      `The webhook of your tenant ${quoted(tenantName)} at ${host} was disabled at ${at.toISOString()}, because ${WHY_WEBHOOK_DISABLED[reason]}.`,
      'It gets no further events until somebody enables it again. The list of its deliveries has the last attempts.',
      'You receive this mail because you are an administrator of the tenant.',
    ],
  }),

  digest: (
    { tenantName, digest, scans, critical, high, findings, scanId, unsubscribeToken },
    web,
  ) => ({
    subject: `New or reopened in ${visible(tenantName)}: ${findingsBySeverity(critical, high)}`,
    paragraphs: [
      `${scans === 1 ? 'A scan' : `${scans} scans`} of your tenant ${quoted(visible(tenantName))} found ${findingsBySeverity(critical, high)} that ${critical + high === 1 ? 'is' : 'are'} new or reopened. Findings that were muted or resolved since are left out.`,
    ],
    items: [
      ...findings.map(
        ({ severity, title, asset, project, message }) =>
          `${severity.toUpperCase()}: ${visible(title)} (${visible(asset)}, project ${visible(project)}): ${visible(message)}`,
      ),
      ...(critical + high > findings.length
        ? [`and ${critical + high - findings.length} more`]
        : []),
    ],
    action: findingsLink(scanId, web),
    after: `You receive this mail because you asked for e-mails about new findings ${HOW_OFTEN[digest]}. You can change this in your account.`,
    unsubscribe: web.page('/unsubscribe', { token: unsubscribeToken }),
  }),

  'break-glass': ({ tenantName, reason, ip, at }) => ({
    subject: `The master key was used on ${tenantName}`,
    paragraphs: [
      `The master key of this service was used on your tenant ${quoted(tenantName)} at ${at.toISOString()} from the IP address ${ip}.`,
      reason === null ? 'No reason was given.' : `Reason: ${reason}`,
      'The audit trail lists the actions. You receive this mail because you are an administrator of the tenant.',
    ],
  }),
};

/** A mail as text and HTML, ready to be sent. */
export function render(
  mail: Mail,
  web: WebAddress,
): Pick<Message, 'subject' | 'text' | 'html' | 'unsubscribe'> {
  const words = wordsOf(mail, web);
  const { unsubscribe } = words;
  return {
    ...{ subject: oneLine(words.subject), text: asText(words), html: asHtml(words) },
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
  };
}

/** For example `2 critical and 1 high finding`. */
function findingsBySeverity(critical: number, high: number): string {
  const counts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(high > 0 ? [`${high} high`] : []),
  ];
  const isOne = (high > 0 ? high : critical) === 1;
  return `${counts.join(' and ')} finding${isOne ? '' : 's'}`;
}

/**
 * The console can show the new findings of one scan. Findings of several scans have no filter of their own, so the link then
 * leads to all open ones, newest first.
 */
function findingsLink(scanId: string | null, web: WebAddress) {
  const link = `${web.page('/console/findings')}?severity=critical&severity=high`;
  return scanId === null
    ? { label: 'Show all open critical and high findings, newest first', link }
    : { label: 'Show these findings', link: `${link}&view=new&scan=${scanId}` };
}

function wordsOf(mail: Mail, web: WebAddress): Words {
  // The type checker cannot see that the data of a mail belongs to its template.
  const template = TEMPLATES[mail.template] as (data: unknown, web: WebAddress) => Words;
  return template(mail.data, web);
}

function asText({ paragraphs, items = [], action, after, unsubscribe }: Words): string {
  const parts = [
    ...paragraphs.map(oneLine),
    ...(items.length === 0 ? [] : [items.map((item) => `- ${oneLine(item)}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.link}`]),
    ...(after === undefined ? [] : [after]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe:\n${unsubscribe}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function asHtml({ subject, paragraphs, items = [], action, after, unsubscribe }: Words): string {
  const list = items.map((item) => `<li>${escapeHtml(oneLine(item))}</li>`);
  const body = [
    ...paragraphs.map((words) => `<p>${escapeHtml(oneLine(words))}</p>`),
    ...(list.length === 0 ? [] : ['<ul>', ...list, '</ul>']),
    ...(action === undefined
      ? []
      : [
          `<p><a href="${escapeHtml(action.link)}">${escapeHtml(action.label)}</a></p>`,
          `<p>${escapeHtml(action.link)}</p>`,
        ]),
    ...(after === undefined ? [] : [`<p>${escapeHtml(after)}</p>`]),
    ...(unsubscribe === undefined
      ? []
      : [`<p><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`]),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head>\n<body>\n${body.join('\n')}\n</body></html>\n`;
}

/** The name of a tenant within a sentence, so that it cannot be read as a part of the sentence. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', "'")}"`;
}

/** Also without invisible characters: a name that was stored earlier can have them. */
function oneLine(words: string): string {
  return withoutInvisible(words.replaceAll(/\s+/g, ' ')).trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
