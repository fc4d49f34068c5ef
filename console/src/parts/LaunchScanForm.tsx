import type { Preflight, Scan } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../lib/error-text.ts';
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
  readonly onLaunched: (scan: Scan) => void;
  readonly onCancel?: () => void;
}

/** Chooses projects and a profile, shows the preflight result, then launches the scan. */
export function LaunchScanForm({ initial = [], onLaunched, onCancel }: LaunchProps) {
  const can = useCan();
  const queryClient = useQueryClient();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(initial));
  const [profile, setProfile] = useState('full');
  const [preflight, setPreflight] = useState<Preflight | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const step = useRef<HTMLElement>(null);
  const isChecked = preflight !== null;
  const wasChecked = useRef(isChecked);
  // The pressed button goes with its step. The next step takes the focus, so that screen readers read it.
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (wasChecked.current !== isChecked && isLost) step.current?.focus();
    wasChecked.current = isChecked;
  }, [isChecked]);

  const request = { projects: [...selected], profile };
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (cause) {
      setError(errorText(cause));
    } finally {
      setBusy(false);
    }
  };
  const check = () =>
    run(async () => {
      if (selected.size === 0) setError('Choose at least one project.');
      else setPreflight(await api.preflight.run(request));
    });
  const launch = () =>
    run(async () => {
      if (selected.size === 0) {
        setError('Choose at least one project.');
        return;
      }
      const scan = await api.scans.launch(request);
      await queryClient.invalidateQueries({ queryKey: ['scans'] });
      await queryClient.invalidateQueries({ queryKey: ['posture'] });
      onLaunched(scan);
    });

  if (preflight !== null) {
    return (
      <section ref={step} className={styles.form} tabIndex={-1} aria-label="Result of the check">
        <PreflightResult preflight={preflight} />
        <FormError>{error}</FormError>
        <DialogActions>
          <Button onClick={() => setPreflight(null)}>Back</Button>
          {preflight.decision !== 'blocked' && (
            <Button kind="primary" busy={isBusy} onClick={() => void launch()}>
              Launch scan
            </Button>
          )}
        </DialogActions>
      </section>
    );
  }
  const checksFirst = can('preflight.run');
  return (
    <section ref={step} className={styles.form} tabIndex={-1} aria-label="What to scan">
      <ProjectChoices
        selected={selected}
        onToggle={(name) => {
          const next = new Set(selected);
          if (!next.delete(name)) next.add(name);
          setSelected(next);
          setError(null);
        }}
      />
      <ProfileChoice value={profile} onChange={setProfile} />
      <FormError>{error}</FormError>
      <DialogActions>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button
          kind="primary"
          busy={isBusy}
          onClick={() => void (checksFirst ? check() : launch())}
        >
          {checksFirst ? 'Check' : 'Launch scan'}
        </Button>
      </DialogActions>
    </section>
  );
}
