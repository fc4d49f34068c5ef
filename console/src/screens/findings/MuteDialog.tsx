import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { count, date, shortName } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import styles from './MuteDialog.module.css';
// Loaded with the dialog, so that a lost connection does not prevent it later.
import './muting.ts';
import type { Muted, MuteTarget } from './muting.ts';

const DAY_MS = 86_400_000;
const DAYS = ['30', '90', '180'] as const;

interface MuteDialogProps {
  readonly target: MuteTarget;
  readonly onClose: () => void;
  readonly onDone: (muted: Muted) => void;
}

/** Asks why findings are acceptable, and until when. */
export function MuteDialog({ target, onClose, onDone }: MuteDialogProps) {
  const size = sizeOf(target);
  const single = target.kind === 'findings' && size === 1 ? target.findings[0] : undefined;
  return (
    <Dialog
      open
      title={size === 1 ? 'Mute this finding' : `Mute ${count(size)} findings`}
      description={
        <>
          Muted findings stay open. Lists can leave them out until the mute ends.
          {single !== undefined && (
            <>
              <b className={styles.finding}>{single.title}</b>
              <span className={styles.finding}>{shortName(single.asset.name)}</span>
            </>
          )}
        </>
      }
      onClose={onClose}
    >
      <MuteForm target={target} onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function MuteForm({ target, onClose, onDone }: MuteDialogProps) {
  const [days, setDays] = useState<(typeof DAYS)[number]>('90');
  const [now] = useState(() => Date.now());
  const expiresAt = new Date(now + Number(days) * DAY_MS).toISOString();
  const { error, isBusy, run } = useAction(async (values: FormValues) => {
    const reason = (values['reason'] ?? '').trim();
    onDone({ target, reason, expiresAt, ...(await mute(target, reason, expiresAt)) });
    onClose();
  });
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={run}>
      <TextField
        name="reason"
        label="Reason"
        rows={3}
        required
        maxLength={500}
        placeholder="A static site, public on purpose"
      />
      <fieldset className={styles.until}>
        <legend>Until</legend>
        <div className={styles.days}>
          {DAYS.map((one) => (
            <label key={one} className={styles.day}>
              <input
                type="radio"
                name="days"
                value={one}
                checked={one === days}
                onChange={() => setDays(one)}
              />
              {one} days
            </label>
          ))}
        </div>
        <p>Ends on {date(expiresAt)}.</p>
      </fieldset>
      <FormFailure error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={isBusy}>
          Mute
        </Button>
      </DialogActions>
    </Form>
  );
}

function sizeOf(target: MuteTarget): number {
  return target.kind === 'findings' ? target.findings.length : target.total;
}

async function mute(target: MuteTarget, reason: string, expiresAt: string) {
  if (target.kind === 'findings' && target.findings.length === 1) {
    const fingerprint = target.findings[0]?.fingerprint;
    const { id } = await api.mutes.create({ fingerprint, reason, expiresAt });
    return { muteId: id, count: 1 };
  }
  const what =
    target.kind === 'findings'
      ? { findingIds: target.findings.map(({ id }) => id) }
      : { filter: target.filter };
  const { muted, unchanged } = await api.mutes.bulkCreate({ ...what, reason, expiresAt });
  return { muteId: undefined, count: muted + unchanged };
}
