import { readFileSync } from 'node:fs';

/**
 * The Content-Security-Policy of the pages that hold a token in their address: they load from and send to their own
 * origin alone, and no form of theirs goes anywhere but through their script.
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

interface Page {
  /** What the script knows it by. */
  readonly name: string;
  readonly title: string;
  readonly form: string;
  /** What is said when it went well. */
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
<label for="password">New password (12 characters or more)</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="72" required>
<button>Set the password</button>
</form>
<p id="other" hidden>If you were invited and have an account already: <a href="/accept-invite">accept the invitation</a>.</p>`,
  done: 'Your password is set. You can sign in with it now.',
});

export const acceptInvitePage = pageOf({
  name: 'accept-invite',
  title: 'Accept the invitation',
  form: '<form><button>Accept the invitation</button></form>',
  done: 'You have joined. Your password is the one that you have.',
});

export const authCallbackPage = pageOf({
  name: 'auth-callback',
  title: 'Signing in',
  form: '',
  done: 'You are signed in.',
});

/** Addresses begin at the root, because a page is served at two paths and a relative one would lead elsewhere from each. */
function pageOf({ name, title, form, done }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/style.css">
<script src="/pages/script.js" defer></script>
</head>
<body data-page="${name}" data-done="${done}">
<h1>${title}</h1>
<noscript>This page needs JavaScript.</noscript>
${form}
<p role="status"></p>
</body>
</html>
`;
}

export function pagesScript(): string {
  return asset('page.js');
}

export function pagesStyle(): string {
  return asset('page.css');
}

/** Where the files lie, seen from here as from the bundled server: two folders up in both. */
const FILES = new URL('../../server/pages/', import.meta.url);
const read = new Map<string, string>();

function asset(name: string): string {
  const known = read.get(name) ?? readFileSync(new URL(name, FILES), 'utf8');
  read.set(name, known);
  return known;
}
