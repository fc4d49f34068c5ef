import type { SourceCheck } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button, Hidden } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Fact, Facts } from '../../ui/Section.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './Source.module.css';
import { sourceQuery } from './source-query.ts';

interface SourceCardProps {
  readonly name: string;
  readonly onReplace: () => void;
}

const CREDENTIALS = { service_account_key: 'Key file', impersonation: 'Impersonation' } as const;

/** The source of a project, with a check of its credential. */
export function SourceCard({ name, onReplace }: SourceCardProps) {
  const queryClient = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const source = useQuery(sourceQuery(name));
  const [result, setResult] = useState<SourceCheck | null>(null);
  /** When the checked source was set; undefined: it was not loaded. A source that has replaced it has not been checked. */
  const [checkedAt, setCheckedAt] = useState<string>();
  const check = useAction(async () => {
    setResult(null);
    setCheckedAt(undefined);
    // Waits for a source that is still loading.
    const { createdAt } = await queryClient.ensureQueryData(sourceQuery(name));
    setCheckedAt(createdAt);
    setResult(await api.sources.check({ name }));
  });
  const isOfChecked = checkedAt === undefined || checkedAt === source.data?.createdAt;
  return (
    <Card
      title="Google Cloud"
      actions={
        <span className={styles.actions}>
          <Button busy={check.isBusy} onClick={() => check.run()}>
            Check
          </Button>
          <Button onClick={onReplace}>Replace</Button>
          <Button onClick={() => setDeleting(true)}>Delete source</Button>
        </span>
      }
    >
      <Loaded query={source}>
        {source.data === undefined ? (
          <Skeleton height={96} />
        ) : (
          <Facts>
            <Fact label="Parent">
              <code className={styles.code}>{source.data.parent}</code>
            </Fact>
            <Fact label="Service account">
              <code className={styles.code}>{source.data.principal}</code>
            </Fact>
            <Fact label="Credential">{CREDENTIALS[source.data.credentialType]}</Fact>
            <Fact label="Set">
              <Time at={source.data.createdAt} /> by {source.data.createdBy.label}
            </Fact>
          </Facts>
        )}
      </Loaded>
      <FormError>{isOfChecked && check.error !== null ? errorText(check.error) : null}</FormError>
      {isOfChecked && result !== null && <CheckResult result={result} />}
      <ConfirmDialog
        open={isDeleting}
        title={`Delete the source of “${name}”?`}
        confirm="Delete source"
        danger
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api.sources.delete({ name });
          // The project first: it says that there is no source to load again.
          await queryClient.invalidateQueries({ queryKey: ['projects', 'one', name] });
          queryClient.removeQueries({ queryKey: sourceQuery(name).queryKey });
          await queryClient.invalidateQueries({ queryKey: ['projects'] });
          toast('Source deleted');
        }}
      >
        Its credential is deleted, and a pull in progress fails. Inventories that were pulled stay.
      </ConfirmDialog>
    </Card>
  );
}

function CheckResult({ result }: { readonly result: SourceCheck }) {
  const { ok, checks } = result;
  return (
    <div className={styles.result}>
      <p role="status" className={styles.decision} data-ok={ok}>
        {ok ? 'A pull would be complete.' : 'A pull would fail or be partial.'}
      </p>
      <ul className={styles.checks} aria-label="Checks">
        {checks.map((one) => (
          <li key={one.name} data-ok={one.ok}>
            {one.ok ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
            <div>
              <Hidden>{one.ok ? 'Passed: ' : 'Failed: '}</Hidden>
              <b>{one.name}</b> {one.detail}
              {one.remedy !== '' && <small>{one.remedy}</small>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
