interface SignInError {
  readonly title: string;
  /** What happened, and what to do next. */
  readonly text: string;
}

const UNREADABLE: SignInError = {
  title: 'The sign-in failed',
  text: 'The answer of the identity provider could not be read. Sign in again. If it fails again, tell your administrator.',
};

const FAULT: SignInError = {
  title: 'The sign-in failed',
  text: 'Something failed on the server. Sign in again. If it fails again, tell your administrator.',
};

/** What went wrong at a sign-in through an identity provider, by the code of the problem. */
export const SIGN_IN_ERRORS: Readonly<Record<string, SignInError>> = {
  SIGN_IN_CANCELLED: {
    title: 'The sign-in was cancelled',
    text: 'You did not allow the sign-in at the identity provider. Nothing was changed. Sign in again, or choose another way.',
  },
  INVALID_CREDENTIALS: {
    title: 'The sign-in was refused',
    text: 'This service does not accept the answer of the identity provider, or your account cannot sign in this way. Sign in in another way, or ask your administrator.',
  },
  INVALID_TOKEN: {
    title: 'The sign-in has expired',
    text: 'It took too long, was completed before, or was started in another browser. Sign in again in this browser.',
  },
  REGISTRATION_CLOSED: {
    title: 'You have no account yet',
    text: 'New accounts are by invitation only. Ask an administrator to invite you, or sign in with another account.',
  },
  NOT_FOUND: {
    title: 'No single sign-on',
    text: 'The sign-in link is not for an organization with single sign-on. Sign in in another way, or ask your administrator for the link.',
  },
  RATE_LIMITED: {
    title: 'Too many sign-ins',
    text: 'There were too many sign-ins from your address. Wait a minute, then sign in again.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'Sign-in is not possible at the moment',
    text: 'The service or the identity provider cannot be reached. Wait a minute, then sign in again.',
  },
  CROSS_SITE_REQUEST: {
    title: 'The sign-in was refused',
    text: 'The request did not come from this page. Open the console at its usual address and sign in again.',
  },
  VALIDATION_FAILED: UNREADABLE,
  PAYLOAD_TOO_LARGE: UNREADABLE,
  UNSUPPORTED_MEDIA_TYPE: UNREADABLE,
  REQUEST_TIMEOUT: UNREADABLE,
  INTERNAL: FAULT,
};

/** Whether there is a text for a code. */
export function hasSignInError(code: string): boolean {
  return Object.hasOwn(SIGN_IN_ERRORS, code);
}

/** The text for a code. A code that is not known gets a general text, so that a link puts no words into the page. */
export function signInErrorOf(code: string): SignInError {
  return (hasSignInError(code) ? SIGN_IN_ERRORS[code] : undefined) ?? FAULT;
}
