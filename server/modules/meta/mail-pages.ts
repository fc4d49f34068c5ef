import { readFileSync } from 'node:fs';
import { ROOT } from '../../platform/root.ts';

/**
 * The Content-Security-Policy of pages whose address contains a token. They load from and send to their own origin only,
 * and only their script can submit a form.
 */
export const PAGES_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The same for a page whose form the browser submits. */
export const FORM_PAGES_CSP = PAGES_CSP.replace("form-action 'none'", "form-action 'self'");

interface Page {
  /** Tells the script which page it runs on. */
  readonly name: string;
  readonly title: string;
  readonly form: string;
  /** The message after success. */
  readonly done: string;
}

export const verifyEmailPage = pageOf({
  name: 'verify-email',
  title: 'Confirm your e-mail address',
  form: '<form><button>Confirm the address</button></form>',
  done: 'Your address is confirmed. You can sign in now.',
});

export const resetPasswordPage = pageOf({
  name: 'reset-password',
  title: 'Choose a password',
  form: `<form>
<label for="password">New password (12 to 72 characters; accented letters and emoji count as 2 to 4)</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="72" required>
<button>Set the password</button>
</form>
<p id="other" hidden>If you were invited and already have an account, <a href="/accept-invite">accept the invitation</a>.</p>`,
  done: 'Your password is set. You can sign in with it now.',
});

export const acceptInvitePage = pageOf({
  name: 'accept-invite',
  title: 'Accept the invitation',
  form: '<form><button>Accept the invitation</button></form>',
  done: 'You have joined. Sign in with your existing password.',
});

export const authCallbackPage = pageOf({
  name: 'auth-callback',
  title: 'Signing in',
  form: `<form hidden>
<p>This identity provider needs your consent to sign in to your account. You are asked again only if the settings of the provider change.</p>
<label for="password">Your password</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<label for="code">Or a code from your authenticator app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code">
<label for="mailToken">Or the code from the e-mail</label>
<input id="mailToken" name="mailToken" autocomplete="off">
<button>Confirm and sign in</button>
<button type="button" id="send-mail">Send me an e-mail</button>
</form>`,
  done: 'You are signed in.',
});

/** Programs that follow links in mails must not unsubscribe anybody, so the page asks first. */
export const unsubscribePage = plainPage(
  'Unsubscribe from e-mails about findings',
  '<form method="post"><button>Unsubscribe</button></form>',
);

export const unsubscribedPage = plainPage(
  'Unsubscribe request received',
  '<p role="status">If this link is valid, you are unsubscribed. If e-mails continue, change the setting in your account.</p>',
);

/** A page without a script. */
function plainPage(title: string, content: string): string {
  return documentOf(
    title,
    '',
    `<body>
<h1>${title}</h1>
${content}
</body>`,
  );
}

/** Links start at the root: each page is served at two paths, and a relative link would differ between them. */
function documentOf(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/style.css">
${head}</head>
${body}
</html>
`;
}

function pageOf({ name, title, form, done }: Page): string {
  return documentOf(
    title,
    '<script src="/pages/script.js" defer></script>\n',
    `<body data-page="${name}" data-done="${done}">
<h1>${title}</h1>
<noscript>This page needs JavaScript.</noscript>
${form}
<p role="status"></p>
</body>`,
  );
}

export function pagesScript(): string {
  return asset('page.js');
}

export function pagesStyle(): string {
  return asset('page.css');
}

/** This file and the bundled server are both two folders below the root. */
const FILES = new URL('server/modules/meta/', ROOT);
const read = new Map<string, string>();

function asset(name: string): string {
  const known = read.get(name) ?? readFileSync(new URL(name, FILES), 'utf8');
  read.set(name, known);
  return known;
}
