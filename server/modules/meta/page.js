// The script of the pages that links in mails open. It sends the token in the address only when the person presses the
// button, so a mail scanner that fetches the link does not use the token up.
const page = document.body.dataset.page;
const parameters = new URLSearchParams(location.search);
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const sendMail = document.querySelector('#send-mail');
const other = document.querySelector('#other');

const SENT = {
  'verify-email': () => ['/auth/verify-email', { token: parameters.get('token') }],
  'reset-password': () => [
    '/auth/reset-password',
    { token: parameters.get('token'), password: form.elements.password.value },
  ],
  'accept-invite': () => ['/auth/accept-invite', { token: parameters.get('token') }],
  'auth-callback': () =>
    waiting === null
      ? ['/auth/exchange', { code: parameters.get('code') }]
      : ['/auth/confirm', { token: waiting, ...proof() }],
};

/** The token of a sign-in that is not confirmed yet. Only this page keeps it. */
let waiting = null;

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send().catch(() => say('The service cannot be reached. Try again.'));
  });
}
const refusal = parameters.get('error');
if (page === 'auth-callback' && refusal !== null) {
  // Only the form of a code: a link must not put words into the page.
  const code = /^[A-Z_]{1,40}$/.test(refusal) ? ` (${refusal})` : '';
  say(`The sign-in was refused${code}. Close this page and start again.`);
} else if (page === 'auth-callback') {
  send().catch(() => say('The service cannot be reached. Sign in again.'));
}

async function send() {
  const [path, body] = SENT[page]();
  const button = form?.querySelector('button');
  if (button) button.disabled = true;
  try {
    const answer = await post(path, body);
    if (answer.ok) await succeed(answer);
    else await fail(answer);
  } finally {
    if (button) button.disabled = false;
  }
}

/** The first field that is filled in. */
function proof() {
  const filled = [...form.elements].find(({ name, value }) => name && value.trim());
  return filled
    ? { [filled.name]: filled.name === 'password' ? filled.value : filled.value.trim() }
    : {};
}

function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function succeed(answer) {
  if (form) form.hidden = true;
  // Remove the used token from the browser history.
  history.replaceState(null, '', location.pathname);
  say(document.body.dataset.done);
  if (page !== 'auth-callback') return;
  const { accessToken } = await answer.json();
  const me = await fetch('/auth/me', { headers: { Authorization: `Bearer ${accessToken}` } });
  if (!me.ok) return;
  const { user, tenant } = await me.json();
  say(`You are signed in as ${user.email}, in ${tenant.name}.`);
}

async function fail(answer) {
  const problem = await answer.json().catch(() => ({}));
  if (problem.code === 'CONFIRMATION_REQUIRED') {
    waiting = problem.confirmation.token;
    form.hidden = false;
    history.replaceState(null, '', location.pathname);
  }
  if (other && problem.code === 'INVALID_TOKEN') {
    other.querySelector('a').href = `/accept-invite${location.search}`;
    other.hidden = false;
  }
  say(problem.errors?.[0]?.message ? `This ${problem.errors[0].message}.` : problem.detail);
}

sendMail?.addEventListener('click', async () => {
  const answer = await post('/auth/confirm/mail', { token: waiting }).catch(() => null);
  const { message, detail } = (await answer?.json().catch(() => null)) ?? {};
  say(message ?? detail);
});

function say(words) {
  status.textContent = words ?? 'Something went wrong. Try again.';
}
