// The script of the pages that links in mails lead to. It sends what the address holds only when the person asks for it:
// programs that fetch the links of a mail to look at them spend nothing.
const page = document.body.dataset.page;
const parameters = new URLSearchParams(location.search);
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const other = document.querySelector('#other');

const SENT = {
  'verify-email': () => ['/auth/verify-email', { token: parameters.get('token') }],
  'reset-password': () => [
    '/auth/reset-password',
    { token: parameters.get('token'), password: form.elements.password.value },
  ],
  'accept-invite': () => ['/auth/accept-invite', { token: parameters.get('token') }],
  'auth-callback': () => ['/auth/exchange', { code: parameters.get('code') }],
};

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send().catch(() => say('The service cannot be reached. Try again.'));
  });
} else {
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

function post(path, body) {
  return fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function succeed(answer) {
  if (form) form.hidden = true;
  // What is spent need not stay in the history of the browser.
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
  if (other && problem.code === 'INVALID_TOKEN') {
    other.querySelector('a').href = `/accept-invite${location.search}`;
    other.hidden = false;
  }
  say(problem.errors?.[0]?.message ? `This ${problem.errors[0].message}.` : problem.detail);
}

function say(words) {
  status.textContent = words ?? 'Something went wrong. Try again.';
}
