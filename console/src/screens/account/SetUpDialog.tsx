import type { TwoFactorSetup } from '@cspm/sdk';
import { useEffect, useRef, useState } from 'react';
import { type Action, useAction } from '../../lib/use-action.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './AccountPage.module.css';
import { QrCode } from './QrCode.tsx';
import { needsPassword, proofError } from './reauthenticate.ts';

interface SetUpProps {
  readonly onClose: () => void;
  readonly onEnabled: (recoveryCodes: readonly string[]) => Promise<void>;
}

/** Enrols an authenticator: password if the session is not fresh, QR code, first code. */
export function SetUpDialog({ onClose, onEnabled }: SetUpProps) {
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null);
  const [password, setPassword] = useState<string | undefined>();
  const begin = useAction(async (given: string | undefined) => {
    setSetup(await api.twoFactor.setup(given === undefined ? {} : { password: given }));
    setPassword(given);
  });
  const enable = useAction(async (values: FormValues) => {
    const code = (values['code'] ?? '').replaceAll(/\s/g, '');
    const { recoveryCodes } = await api.twoFactor.enable({
      code,
      ...(password === undefined ? {} : { password }),
    });
    await onEnabled(recoveryCodes);
  });
  // The answer is the only one with the recovery codes.
  useStayOnPage(enable.isBusy ? 'awaited' : null);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    begin.run(undefined);
  });
  return (
    <Dialog
      open
      title="Set up two-factor authentication"
      description={
        setup === null ? undefined : 'Scan the code with an authenticator app, or enter the key.'
      }
      onClose={onClose}
      persistent={enable.isBusy}
    >
      {setup === null ? (
        <Begin action={begin} onClose={onClose} />
      ) : (
        <Enable
          setup={setup}
          action={enable}
          hasPassword={password !== undefined}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface BeginProps {
  readonly action: ReturnType<typeof useAction<string | undefined>>;
  readonly onClose: () => void;
}

function Begin({ action: { error, isBusy, run }, onClose }: BeginProps) {
  const [asked, setAsked] = useState(false);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (needsPassword(error)) setAsked(true);
  }, [error]);
  if (!asked && error === null) return <Skeleton height={200} />;
  return (
    <Form
      className={styles.form}
      onFormSubmit={(values) => {
        setSent(true);
        run(asked ? values['password'] : undefined);
      }}
    >
      {asked && (
        <TextField
          name="password"
          label="Your password"
          description="Needed because your sign-in is not recent."
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      )}
      <FormError>{asked && !isSent ? null : proofError(error, asked)}</FormError>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          {asked ? 'Continue' : 'Try again'}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface EnableProps {
  readonly setup: TwoFactorSetup;
  readonly action: Action<FormValues>;
  /** The password was sent to begin, and is sent again. */
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

function Enable({ setup, action: { error, isBusy, run }, hasPassword, onClose }: EnableProps) {
  return (
    <Form className={styles.form} onFormSubmit={run}>
      <div className={styles.qr}>
        <QrCode text={setup.otpauthUri} label="QR code for your authenticator app" />
        <span className={styles.secret}>
          <code data-testid="totp-secret">{setup.secret}</code>
          <Copy text={setup.secret} label="Copy the key" />
        </span>
      </div>
      <TextField
        name="code"
        label="Code"
        description="The 6 digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        check={(value) => (/^\d{3} ?\d{3}$/.test(value.trim()) ? null : 'The code has 6 digits.')}
        mono
        required
        autoFocus
      />
      <FormError>{proofError(error, hasPassword)}</FormError>
      <DialogActions>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Turn on
        </Button>
      </DialogActions>
    </Form>
  );
}
