import type { Preflight, Scan } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../lib/error-text.ts';
import { useAction } from '../lib/use-action.ts';
import { useOnce } from '../lib/use-once.ts';
import { useCan } from '../queries.ts';
import { api } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { DialogActions } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { PreflightResult } from './PreflightResult.tsx';
import styles from './parts.module.css';
import { ProfileChoice, ProjectChoices } from './ScanChoices.tsx';

interface LaunchProps {
  /** The projects that are selected at first. */
  readonly initial?: readonly string[];
  /** @param isShown whether the form is still open. */
  readonly onLaunched: (scan: Scan, isShown: boolean) => void;
  readonly onCancel?: () => void;
}

interface Choices {
  readonly projects: string[];
  readonly profile: string;
}

/** Chooses projects and a profile, shows the preflight result, then launches the scan. */
export function LaunchScanForm({ initial = [], onLaunched, onCancel }: LaunchProps) {
  const can = useCan();
  const queryClient = useQueryClient();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(initial));
  const [profile, setProfile] = useState('full');
  /** The choices that were checked, and the result. What is launched is what was checked. */
  const [checked, setChecked] = useState<(Choices & { readonly result: Preflight }) | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  const check = useAction(async (choices: Choices) =>
    setChecked({ ...choices, result: await api.preflight.run(choices) }),
  );
  const once = useOnce();
  const launch = useAction(async ({ projects, profile }: Choices, isShown) => {
    const scan = await once(api.scans.launch, { projects, profile });
    await queryClient.invalidateQueries({ queryKey: ['scans'] });
    await queryClient.invalidateQueries({ queryKey: ['posture'] });
    onLaunched(scan, isShown());
  });

  const step = useRef<HTMLElement>(null);
  const isChecked = checked !== null;
  const wasChecked = useRef(isChecked);
  // The pressed button goes with its step. The next step takes the focus, so that screen readers read it.
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (wasChecked.current !== isChecked && isLost) step.current?.focus();
    wasChecked.current = isChecked;
  }, [isChecked]);

  if (checked !== null) {
    return (
      <section ref={step} className={styles.form} tabIndex={-1} aria-label="Result of the check">
        <PreflightResult preflight={checked.result} />
        <FormError>{launch.error === null ? null : errorText(launch.error)}</FormError>
        <DialogActions>
          <Button
            disabled={launch.isBusy}
            onClick={() => {
              setChecked(null);
              launch.reset();
            }}
          >
            Back
          </Button>
          {checked.result.decision !== 'blocked' && (
            <Button kind="primary" busy={launch.isBusy} onClick={() => launch.run(checked)}>
              Launch scan
            </Button>
          )}
        </DialogActions>
      </section>
    );
  }
  const checksFirst = can('preflight.run');
  const { isBusy, error, run, reset } = checksFirst ? check : launch;
  return (
    <section ref={step} className={styles.form} tabIndex={-1} aria-label="What to scan">
      <ProjectChoices
        selected={selected}
        onToggle={(name) => {
          const next = new Set(selected);
          if (!next.delete(name)) next.add(name);
          setSelected(next);
          setEmpty(false);
          reset();
        }}
        busy={isBusy}
      />
      <ProfileChoice value={profile} onChange={setProfile} busy={isBusy} />
      <FormError>
        {isEmpty ? 'Choose at least one project.' : error === null ? null : errorText(error)}
      </FormError>
      <DialogActions>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button
          kind="primary"
          busy={isBusy}
          onClick={() => {
            setEmpty(selected.size === 0);
            if (selected.size > 0) run({ projects: [...selected], profile });
          }}
        >
          {checksFirst ? 'Check' : 'Launch scan'}
        </Button>
      </DialogActions>
    </section>
  );
}
