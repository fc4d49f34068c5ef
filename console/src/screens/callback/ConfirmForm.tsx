import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api, openSession } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from '../../ui/Outside.module.css';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/Toasts.tsx';

const PROOFS = [
  { value: 'password', label: 'Your password' },
  { value: 'code', label: 'A code of your authenticator' },
  { value: 'mailToken', label: 'A code sent by e-mail' },
] as const;

type Proof = (typeof PROOFS)[number]['value'];

interface ConfirmFormProps {
  /** The token of the sign-in that waits. */
  readonly token: string;
  readonly onDone: () => void;
}

/** Asks for a proof that the owner of the account lets the identity provider sign in to it. */
export function ConfirmForm({ token, onDone }: ConfirmFormProps) {
  const [proof, setProof] = useState<Proof>('password');
  const confirm = useAction(async (values: FormValues) => {
    const password = values['proof'] ?? '';
    const code = password.replaceAll(/\s/g, '');
    const proofs = { password: { password }, code: { code }, mailToken: { mailToken: code } };
    await openSession(api.auth.confirm({ token, ...proofs[proof] }));
    onDone();
  });
  const mail = useAction(async () => {
    await api.auth.confirmMail({ token });
    toast('A mail with a code is on its way');
  });
  const error = confirm.error ?? mail.error;
  return (
    <Form className={styles.form} onFormSubmit={confirm.run}>
      <p className={styles.text}>
        This identity provider needs your consent to sign in to your account. You are asked again
        only if the settings of the provider change.
      </p>
      <Select label="Confirm with" options={PROOFS} value={proof} onChange={setProof} />
      {proof === 'mailToken' && (
        <Button busy={mail.isBusy} onClick={() => mail.run()}>
          Send me an e-mail
        </Button>
      )}
      <ProofField key={proof} proof={proof} />
      <FormError>{error === null ? null : errorText(error)}</FormError>
      <Button kind="primary" wide type="submit" busy={confirm.isBusy}>
        Confirm and sign in
      </Button>
    </Form>
  );
}

function ProofField({ proof }: { readonly proof: Proof }) {
  if (proof === 'password') {
    return (
      <TextField
        name="proof"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
    );
  }
  if (proof === 'code') {
    return (
      <TextField
        name="proof"
        label="Authentication code"
        inputMode="numeric"
        autoComplete="one-time-code"
        mono
        required
      />
    );
  }
  return <TextField name="proof" label="Code from the e-mail" autoComplete="off" mono required />;
}
