import { ApiError } from '@cspm/sdk';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { safeNext } from '../../lib/safe-next.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { useTitle } from '../../lib/use-title.ts';
import { forgetData } from '../../loaded-data.ts';
import { api, sessionState, signIn } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { OutsidePage } from '../../ui/OutsidePage.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { OtherMethods } from './OtherMethods.tsx';
import styles from './SignInPage.module.css';
import { type Credentials, signInError } from './sign-in-error.ts';

// Most people need neither.
const CodeStep = lazy(async () => ({ default: (await import('./CodeStep.tsx')).CodeStep }));
const SingleSignOnStep = lazy(async () => ({
  default: (await import('./SingleSignOnStep.tsx')).SingleSignOnStep,
}));

const route = getRouteApi('/sign-in');

type Step = 'password' | 'single-sign-on' | Credentials;

/** Sign-in with a password, with a second step for accounts with an authenticator, and the other ways to sign in. */
export function SignInPage() {
  useTitle('Sign in');
  const { next } = route.useSearch();
  const router = useRouter();
  const [step, setStep] = useState<Step>('password');
  // The form for the password does not wait for it.
  const methods = useLoaded(() => api.auth.methods());
  const open = () => {
    forgetData();
    router.history.replace(safeNext(next));
  };
  // Somebody who is signed in already goes on at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    if (sessionState.get() === 'signed-in') open();
  }, []);
  const back = () => setStep('password');
  return (
    <OutsidePage title={titleOf(step)} footer={methods.data?.registration && <Registration />}>
      <Suspense fallback={<Skeleton height={150} />}>
        {step === 'password' ? (
          <>
            <PasswordStep onDone={open} onSecondFactor={setStep} />
            <OtherMethods methods={methods} onSingleSignOn={() => setStep('single-sign-on')} />
          </>
        ) : step === 'single-sign-on' ? (
          <SingleSignOnStep onBack={back} />
        ) : (
          <CodeStep credentials={step} onDone={open} onBack={back} />
        )}
      </Suspense>
    </OutsidePage>
  );
}

function titleOf(step: Step): string {
  if (step === 'password') return 'Sign in';
  return step === 'single-sign-on' ? 'Single sign-on' : 'Two-step verification';
}

function Registration() {
  return (
    <>
      No account yet?{' '}
      <Link to="/register" className={styles.link}>
        Create one
      </Link>
    </>
  );
}

interface PasswordStepProps {
  readonly onDone: () => void;
  readonly onSecondFactor: (credentials: Credentials) => void;
}

function PasswordStep({ onDone, onSecondFactor }: PasswordStepProps) {
  const { tenant, email: knownEmail } = route.useSearch();
  const [email, setEmail] = useState(knownEmail);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (values: FormValues) => {
    const credentials = {
      email: (values['email'] ?? '').trim(),
      password: values['password'] ?? '',
    };
    setBusy(true);
    setError(null);
    try {
      await signIn({ ...credentials, tenantId: tenant });
      onDone();
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'TOTP_REQUIRED') onSecondFactor(credentials);
      else setError(signInError(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form className={styles.form} onFormSubmit={(values) => void submit(values)}>
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        defaultValue={knownEmail ?? ''}
        autoFocus={knownEmail === undefined}
        onInput={(event) => setEmail(event.currentTarget.value)}
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={knownEmail !== undefined}
      />
      <FormError>{error}</FormError>
      <Button kind="primary" wide type="submit" busy={isBusy}>
        Sign in
      </Button>
      <p className={styles.forgotten}>
        <Link to="/forgotten-password" search={{ email }} className={styles.link}>
          Forgot your password?
        </Link>
      </p>
    </Form>
  );
}
