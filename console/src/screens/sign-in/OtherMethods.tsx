import type { SignInMethods } from '@cspm/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { keepNext } from '../../lib/next-page.ts';
import { keepSignInState, newSignInState } from '../../lib/sign-in-state.ts';
import type { Loaded } from '../../lib/use-loaded.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import outside from '../../ui/Outside.module.css';
import styles from './SignInPage.module.css';

const route = getRouteApi('/sign-in');

interface OtherMethodsProps {
  readonly methods: Loaded<SignInMethods>;
  readonly onSingleSignOn: () => void;
}

/** The sign-in methods without a password that the server offers. */
export function OtherMethods({ methods, onSingleSignOn }: OtherMethodsProps) {
  const { next } = route.useSearch();
  const { data } = methods;
  const [state] = useState(newSignInState);
  if (methods.isError) {
    return (
      <p className={styles.note}>
        Other ways to sign in could not be loaded.{' '}
        <Button kind="quiet" onClick={methods.retry}>
          Try again
        </Button>
      </p>
    );
  }
  if (data === undefined || !(data.google || data.saml)) return null;
  return (
    <div className={styles.form}>
      <div className={outside.or}>or</div>
      {data.google && (
        <a
          href={`/auth/google/login?state=${state}`}
          {...buttonLook()}
          data-wide
          onClick={() => {
            keepNext(next);
            keepSignInState(state);
          }}
        >
          Continue with Google
        </a>
      )}
      {data.saml && (
        <Button wide onClick={onSingleSignOn}>
          Use single sign-on
        </Button>
      )}
    </div>
  );
}
