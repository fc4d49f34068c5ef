import type { Webhook } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Send } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useStayOnPage } from '../../lib/use-stay-on-page.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Fact, Facts } from '../../ui/Section.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Forbidden } from '../../ui/States.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { Deliveries } from './Deliveries.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { WebhookState } from './WebhookState.tsx';
import styles from './Webhooks.module.css';
import { WEBHOOKS } from './webhooks-query.ts';

const route = getRouteApi('/app/webhooks/$id');

/** One webhook: its settings, a test, a new secret, and its deliveries. */
export function WebhookPage() {
  const can = useCan();
  const { id } = route.useParams();
  if (!can('admin.settings')) return <Forbidden permission="admin.settings" />;
  // The key: nothing of one webhook, such as its new secret, is shown for another.
  return <WebhookView key={id} id={id} />;
}

function WebhookView({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const [isRotating, setRotating] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  // Of the page: a second rotation would end the secret that the receiver uses, also after the question was closed.
  const once = useOnce();
  // Also while the call runs: its answer is the only one with the secret.
  useStayOnPage(isBusy ? 'awaited' : null);
  const webhook = useQuery({
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: () => api.webhooks.get({ id }),
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS });
  const test = useAction(async () => {
    await api.webhooks.test({ id });
    await reload();
    toast('Test event queued');
  });
  return (
    <Page
      title="Webhook"
      subtitle={<span className={styles.url}>{webhook.data?.url}</span>}
      actions={
        !webhook.isLoadingError && (
          <>
            <Button onClick={() => setRotating(true)}>
              <KeyRound size={15} aria-hidden />
              Rotate secret
            </Button>
            <Button kind="primary" busy={test.isBusy} onClick={() => test.run()}>
              <Send size={15} aria-hidden />
              Send test
            </Button>
          </>
        )
      }
    >
      <FormError>{test.error === null ? null : errorText(test.error)}</FormError>
      <Loaded query={webhook}>
        <Card title="Settings">
          {webhook.data === undefined ? (
            <Skeleton height={96} />
          ) : (
            <Settings webhook={webhook.data} />
          )}
        </Card>
        <Deliveries webhookId={id} />
      </Loaded>
      <ConfirmDialog
        open={isRotating}
        title="Rotate the signing secret?"
        confirm="Rotate secret"
        onClose={() => {
          setRotating(false);
          // Also after a failure: the secret may have been rotated although the answer was lost.
          void reload();
        }}
        onConfirm={async () => {
          setBusy(true);
          try {
            const rotated = await once(api.webhooks.rotateSecret, { id });
            // First: a page that cannot be loaded again must not hide the secret.
            setSecret(rotated.secret);
          } finally {
            setBusy(false);
          }
        }}
      >
        For 24 hours each event has two signatures, one with the new and one with the current
        secret. Give the new one to the receiver in that time.
        <OlderSecret until={webhook.data?.previousSecretUntil ?? null} />
      </ConfirmDialog>
      {secret !== null && !isRotating && (
        <SecretDialog secret={secret} onClose={() => setSecret(null)} />
      )}
    </Page>
  );
}

/** Warns that a rotation ends the secret before the last rotation, if that one still signs. */
function OlderSecret({ until }: { readonly until: string | null }) {
  if (until === null || Date.parse(until) <= Date.now()) return null;
  return (
    <>
      {' '}
      The secret before the last rotation signs until <Time at={until} />. If you rotate now, it
      ends at once.
    </>
  );
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { description, events, format, failingSince, disabledReason, previousSecretUntil } =
    webhook;
  return (
    <Facts>
      <Fact label="State">
        <span className={styles.line}>
          <WebhookState webhook={webhook} />
          {disabledReason !== null && <span>{disabledReason.message}</span>}
          {failingSince !== null && (
            <span>
              The first failed attempt was <Time at={failingSince} />
            </span>
          )}
        </span>
      </Fact>
      {description !== '' && <Fact label="Description">{description}</Fact>}
      <Fact label="Events">
        <span className={styles.line}>
          {events.map((event) => (
            <code key={event}>{event}</code>
          ))}
        </span>
      </Fact>
      <Fact label="Format">{format === 'slack' ? 'Slack' : 'Standard Webhooks'}</Fact>
      {previousSecretUntil !== null && (
        <Fact label="Previous secret">
          Signs until <Time at={previousSecretUntil} />
        </Fact>
      )}
    </Facts>
  );
}
