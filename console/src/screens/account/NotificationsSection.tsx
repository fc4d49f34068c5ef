import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { FormError } from '../../ui/Field.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './AccountPage.module.css';

const KEY = ['notifications'];

const OPTIONS = [
  { value: 'off', label: 'No e-mails' },
  { value: 'immediate', label: 'After each scan' },
  { value: 'daily', label: 'Once a day, at 07:00 UTC' },
  { value: 'weekly', label: 'Once a week, on Mondays at 07:00 UTC' },
] as const;

type Digest = (typeof OPTIONS)[number]['value'];

/** When the person gets e-mails about new findings of the present tenant. */
export function NotificationsSection() {
  const queryClient = useQueryClient();
  const settings = useQuery({ queryKey: KEY, queryFn: () => api.notifications.get() });
  const [chosen, setChosen] = useState<Digest>('off');
  const change = useAction(async (digest: Digest) => {
    queryClient.setQueryData(KEY, await api.notifications.update({ digest }));
    toast(digest === 'off' ? 'You get no e-mails about new findings' : 'E-mails changed');
  });
  return (
    <Section
      title="E-mail about new findings"
      text="New critical and high findings of this tenant that are not muted. At most one e-mail for each scan."
    >
      {settings.isError && (
        <Failure error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.isPending && <Skeleton height={64} />}
      {settings.data !== undefined && (
        <div className={`${styles.form} ${styles.narrow}`}>
          <Select
            label="Send e-mails"
            options={OPTIONS}
            value={change.isBusy ? chosen : settings.data.digest}
            onChange={(digest) => {
              setChosen(digest);
              change.run(digest);
            }}
            busy={change.isBusy}
          />
          <FormError>{change.error === null ? null : errorText(change.error)}</FormError>
        </div>
      )}
    </Section>
  );
}
