import { ApiError } from '@cspm/sdk';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { takeNext } from '../../lib/next-page.ts';
import { safeNext } from '../../lib/safe-next.ts';
import { forgetQuery } from '../../lib/search-text.ts';
import { takeSignInState } from '../../lib/sign-in-state.ts';
import { useTitle } from '../../lib/use-title.ts';
import { forgetData } from '../../loaded-data.ts';
import { api, openSession, sessionState } from '../../session.ts';
import styles from '../../ui/Outside.module.css';
import { OutsidePage } from '../../ui/OutsidePage.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ConfirmForm } from './ConfirmForm.tsx';
import { ContinueSignIn } from './ContinueSignIn.tsx';
import { SignInFailed, type SignInFault } from './SignInFailed.tsx';
import { hasSignInError, signInErrorOf } from './sign-in-errors.ts';

const route = getRouteApi('/auth/callback');

const NO_CODE: SignInFault = {
  title: 'The sign-in failed',
  text: 'The address has no code of a sign-in. Sign in again.',
  correlationId: undefined,
};

/**
 * Ends a sign-in at an identity provider: exchanges the code for a session, or asks the person to confirm it once. Asks
 * first unless the person started it on the sign-in page of this tab and nobody is signed in (login CSRF).
 */
export function CallbackPage() {
  const { code, state, returnTo, error, correlationId } = route.useSearch();
  const router = useRouter();
  /** A refusal in the address, a failed exchange of the code, or an address without either. */
  const [fault, setFault] = useState<SignInFault | null>(() => {
    if (error !== undefined) return { ...signInErrorOf(error), correlationId };
    return code === undefined ? NO_CODE : null;
  });
  useTitle(fault?.title ?? 'Signing in');
  /** The token of a sign-in that is not confirmed yet. Only this page has it. */
  const [waiting, setWaiting] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(
    () => !takeSignInState(state) || sessionState.get() === 'signed-in',
  );
  const isBegun = useRef(false);
  const [target] = useState(() => returnTo ?? takeNext());
  const open = () => {
    forgetData();
    router.history.replace(safeNext(target));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code is valid once
  useEffect(() => {
    if (isBegun.current) return;
    if (fault !== null || code === undefined) {
      forgetQuery();
      return;
    }
    if (isAsking) return;
    isBegun.current = true;
    openSession(api.auth.exchange({ code })).then(open, (cause: unknown) => {
      forgetQuery();
      const token = confirmationOf(cause);
      if (token === undefined) setFault(faultOf(cause));
      else setWaiting(token);
    });
  }, [isAsking]);
  if (fault !== null) return <SignInFailed fault={fault} next={target} />;
  if (waiting !== null) {
    return (
      <OutsidePage title="Confirm the sign-in">
        <ConfirmForm token={waiting} onDone={open} />
      </OutsidePage>
    );
  }
  if (isAsking) {
    const cancel = () => router.history.replace(safeNext(undefined));
    return <ContinueSignIn onContinue={() => setAsking(false)} onCancel={cancel} />;
  }
  return (
    <OutsidePage title="Signing in">
      <div className={styles.form} role="status">
        <p className={styles.text}>The sign-in continues in a moment.</p>
        <Skeleton height={36} />
      </div>
    </OutsidePage>
  );
}

function faultOf(error: unknown): SignInFault {
  if (error instanceof ApiError && hasSignInError(error.code)) {
    return { ...signInErrorOf(error.code), correlationId: error.correlationId };
  }
  return { ...NO_CODE, text: errorText(error) };
}

function confirmationOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'CONFIRMATION_REQUIRED') return undefined;
  return error.problem?.confirmation?.token;
}
