import type { WebAddress } from '../web-address.ts';
import type { Mail, MailData, MailTemplate } from './mail.ts';

/** What a mail says: a subject, paragraphs, and at most one thing to do. */
interface Words {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly link: string };
  /** Small print, after the action. */
  readonly after?: string;
}

type Templates = { readonly [T in MailTemplate]: (data: MailData[T], web: WebAddress) => Words };

const WHAT_CHANGED: Readonly<Record<MailData['two-factor-changed']['change'], string>> = {
  enabled: 'An authenticator was put in force',
  disabled: 'The authenticator was removed',
  'recovery-codes': 'New recovery codes were made, and the old ones are void,',
};

/**
 * The words of all mails. Nothing that a stranger can type gets into a mail to somebody else, but the name of a tenant in
 * its own invitations and a reason in its own alarm: our mails must not carry other people's messages.
 */
const TEMPLATES: Templates = {
  'verify-email': ({ token }, web) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: ['An account was registered with this e-mail address. Confirm it to sign in.'],
    action: { label: 'Confirm the address', link: web.page('/verify-email', { token }) },
    after:
      'The link is good for 48 hours and for one use. If you registered nothing, do not follow it: whoever registered would then sign in with your address.',
  }),

  'reset-password': ({ token }, web) => ({
    subject: 'Choose a new password',
    paragraphs: ['Somebody, presumably you, asked for a new password for your account.'],
    action: { label: 'Choose a new password', link: web.page('/reset-password', { token }) },
    after:
      'The link is good for one hour and for one use. If it was not you, leave it: your password stays as it is.',
  }),

  invitation: ({ token, tenantName, newPerson }, web) => ({
    subject: `Invitation to ${tenantName}`,
    paragraphs: [
      `You are invited to join ${tenantName}.`,
      newPerson
        ? 'Choose a password to begin.'
        : 'You have an account already, and keep its password.',
    ],
    action: newPerson
      ? { label: 'Choose a password', link: web.page('/reset-password', { token }) }
      : { label: 'Accept the invitation', link: web.page('/accept-invite', { token }) },
    after:
      'The link is good for 7 days and for one use. If you know nothing of this, leave it: nothing happens then.',
  }),

  'account-exists': () => ({
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, perhaps you, tried to register an account with this e-mail address. There is one already, and nothing was changed.',
      'If it was you: sign in, or ask for a new password where you sign in. If it was not, there is nothing to do.',
    ],
  }),

  'password-changed': ({ at, ip }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed at ${at.toISOString()} from the address ${ip}. All other sessions have ended.`,
      'If it was not you, ask for a new password at once, and tell your administrator.',
    ],
  }),

  'two-factor-changed': ({ change, at, ip }) => ({
    subject: 'The second factor of your account was changed',
    paragraphs: [
      `${WHAT_CHANGED[change]} at ${at.toISOString()} from the address ${ip}.`,
      'If it was not you, change your password at once, end all sessions, and tell your administrator.',
    ],
  }),

  'break-glass': ({ tenantName, reason, ip, at }) => ({
    subject: `The emergency key was used on ${tenantName}`,
    paragraphs: [
      `The master key of this service was used on your tenant ${tenantName} at ${at.toISOString()} from the address ${ip}.`,
      reason === null ? 'No reason was given.' : `The reason given: ${reason}`,
      'What was done is in the audit trail. You get this mail because you administer the tenant.',
    ],
  }),
};

/** A mail in both of its forms, ready to be sent. */
export function render(
  mail: Mail,
  web: WebAddress,
): { subject: string; text: string; html: string } {
  const words = wordsOf(mail, web);
  return { subject: oneLine(words.subject), text: asText(words), html: asHtml(words) };
}

function wordsOf(mail: Mail, web: WebAddress): Words {
  // A mail's data is that of its template, which the type checker knows of the pair and not of its halves.
  const template = TEMPLATES[mail.template] as (data: unknown, web: WebAddress) => Words;
  return template(mail.data, web);
}

function asText({ paragraphs, action, after }: Words): string {
  const action_ = action === undefined ? [] : [`${action.label}:\n${action.link}`];
  return `${[...paragraphs.map(oneLine), ...action_, ...(after === undefined ? [] : [after])].join('\n\n')}\n`;
}

function asHtml({ subject, paragraphs, action, after }: Words): string {
  const body = [
    ...paragraphs.map((words) => `<p>${forHtml(oneLine(words))}</p>`),
    ...(action === undefined
      ? []
      : [
          `<p><a href="${forHtml(action.link)}">${forHtml(action.label)}</a></p>`,
          `<p>${forHtml(action.link)}</p>`,
        ]),
    ...(after === undefined ? [] : [`<p>${forHtml(after)}</p>`]),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${forHtml(oneLine(subject))}</title></head>\n<body>\n${body.join('\n')}\n</body></html>\n`;
}

function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}

function forHtml(words: string): string {
  return words.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
