import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { identityQuery, useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Section.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { ConfirmCodeDialog } from './ConfirmCodeDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodes.tsx';
import { SetUpDialog } from './SetUpDialog.tsx';

type Open = 'set-up' | 'disable' | 'recovery-codes';

export function TwoFactorSection() {
  const { user } = useIdentity();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isEnabled = user?.twoFactorEnabled === true;
  const close = () => setOpen(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
  const show = async (recoveryCodes: readonly string[]) => {
    setCodes(recoveryCodes);
    close();
    await reload();
  };
  return (
    <Section
      title={
        <>
          Two-factor authentication{' '}
          {isEnabled ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}
        </>
      }
      text={
        isEnabled
          ? 'Sign-in asks for a code of your authenticator app.'
          : 'Protects your account with a code of an authenticator app. Administration requires it.'
      }
      actions={
        isEnabled ? (
          <>
            <Button onClick={() => setOpen('recovery-codes')}>New recovery codes</Button>
            <Button onClick={() => setOpen('disable')}>Turn off</Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => setOpen('set-up')}>
            Set up
          </Button>
        )
      }
    >
      {open === 'set-up' && <SetUpDialog onClose={close} onEnabled={show} />}
      {open === 'disable' && (
        <ConfirmCodeDialog
          title="Turn off two-factor authentication?"
          text="Your password alone will open your account, and administration will be refused. Your recovery codes become invalid."
          confirm="Turn off"
          danger
          onClose={close}
          onConfirm={async (proof) => {
            await api.twoFactor.disable(proof);
            close();
            await reload();
            toast('Two-factor authentication is off');
          }}
        />
      )}
      {open === 'recovery-codes' && (
        <ConfirmCodeDialog
          title="Create new recovery codes?"
          text="Your present recovery codes become invalid."
          confirm="Create codes"
          onClose={close}
          onConfirm={async (proof) => {
            const { recoveryCodes } = await api.twoFactor.recoveryCodes(proof);
            await show(recoveryCodes);
          }}
        />
      )}
      {codes !== null && (
        <RecoveryCodesDialog
          codes={codes}
          account={user?.email ?? ''}
          onClose={() => setCodes(null)}
        />
      )}
    </Section>
  );
}
