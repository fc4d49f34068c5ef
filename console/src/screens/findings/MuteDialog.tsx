import type { Finding } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { count, date, shortName } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { type Once, useOnce } from '../../lib/use-once.ts';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import styles from './MuteDialog.module.css';
// Loaded with the dialog, so that a lost connection does not prevent the toast later.
import { isMutedAfter, type MatchesTarget, type Muted, type MuteTarget } from './muting.ts';

const DAY_MS = 86_400_000;
const DAYS = ['30', '90', '180'];
const NOTHING: Content = { reason: '', days: '90' };

interface Content {
  readonly reason: string;
  readonly days: string;
}

interface MuteDialogProps {
  readonly target: MuteTarget;
  readonly onClose: () => void;
  /** @param isShown whether the dialog is still open. */
  readonly onDone: (muted: Muted, isShown: boolean) => void;
}

/** Asks why findings are acceptable, and until when. */
export function MuteDialog({ target: asked, onClose, onDone }: MuteDialogProps) {
  const form = useKeptForm(
    `mute ${nameOf(asked)}`,
    NOTHING,
    ({ reason, days }) => reason !== NOTHING.reason || days !== NOTHING.days,
  );
  const close = () => {
    form.forget();
    onClose();
  };
  const [recount, setRecount] = useState<Recount>();
  const target = recount === undefined ? asked : recount.target;
  const size = sizeOf(target);
  const single = target.kind === 'findings' && size === 1 ? target.findings[0] : undefined;
  return (
    <Dialog
      open
      title={titleOf(size)}
      description={
        <>
          {form.notice} Muted findings stay open. Lists can leave them out until the mute ends.
          {single !== undefined && (
            <>
              <b className={styles.finding}>{single.title}</b>
              <span className={styles.finding}>{shortName(single.asset.name)}</span>
            </>
          )}
        </>
      }
      wouldLose={form.isChanged}
      onClose={close}
    >
      <MuteForm
        target={target}
        content={form.content}
        onChange={form.setContent}
        recount={recount}
        onRecount={setRecount}
        onClose={close}
        onDone={(muted, isShown) => {
          form.forget();
          onDone(muted, isShown);
        }}
      />
    </Dialog>
  );
}

/** Another number of findings matches than the person was asked about. */
interface Recount {
  readonly target: MatchesTarget;
  readonly before: number;
}

interface MuteFormProps extends MuteDialogProps {
  readonly content: Content;
  readonly onChange: (content: Content) => void;
  readonly recount: Recount | undefined;
  readonly onRecount: (recount: Recount) => void;
}

function MuteForm(props: MuteFormProps) {
  const { target, content, onChange, recount, onRecount, onClose, onDone } = props;
  const days = DAYS.find((one) => one === content.days) ?? NOTHING.days;
  const [now] = useState(() => Date.now());
  const expiresAt = new Date(now + Number(days) * DAY_MS).toISOString();
  const once = useOnce();
  const { error, isBusy, run } = useAction(async (_, isShown) => {
    const reason = content.reason.trim();
    if (target.kind === 'matches') {
      // A scan may have added findings that the person has not seen.
      const { total } = await api.findings.summary(target.filter);
      if (total.open !== target.total) {
        onRecount({ target: { ...target, total: total.open }, before: target.total });
        return;
      }
    }
    const muted = await mute(target, { reason, expiresAt }, once);
    onDone({ target, reason, expiresAt, ...muted }, isShown());
    if (isShown()) onClose();
  });
  return (
    <Form className={styles.form} errors={fieldErrors(error)} onFormSubmit={() => run()}>
      <TextField
        name="reason"
        label="Reason"
        rows={3}
        required
        maxLength={500}
        placeholder="A static site, public on purpose"
        value={content.reason}
        onChange={({ target: { value } }) => onChange({ ...content, reason: value })}
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
                onChange={() => onChange({ ...content, days: one })}
              />
              {one} days
            </label>
          ))}
        </div>
        <p>Ends on {date(expiresAt)}.</p>
      </fieldset>
      {recount !== undefined && error === null && !isBusy && (
        <FormError>{recountText(recount)}</FormError>
      )}
      <FormFailure error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {sizeOf(target) > 0 && (
          <Button kind="primary" type="submit" busy={isBusy}>
            Mute
          </Button>
        )}
      </DialogActions>
    </Form>
  );
}

function titleOf(size: number): string {
  if (size === 0) return 'No finding to mute';
  return size === 1 ? 'Mute this finding' : `Mute ${count(size)} findings`;
}

function recountText({ target: { total }, before }: Recount): string {
  if (total === 0) return 'No finding matches any more. Nothing was muted.';
  const now = total === 1 ? '1 finding matches' : `${count(total)} findings match`;
  return `${now} now, not ${count(before)}. Nothing was muted. Check the list, or mute all that match now.`;
}

/** Tells the targets of a tab apart, so that a reason is not restored for other findings. */
function nameOf(target: MuteTarget): string {
  if (target.kind === 'matches') return JSON.stringify(target.filter);
  return target.findings
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

function sizeOf(target: MuteTarget): number {
  return target.kind === 'findings' ? target.findings.length : target.total;
}

async function mute(
  target: MuteTarget,
  { reason, expiresAt }: { readonly reason: string; readonly expiresAt: string },
  once: Once,
) {
  const [first, ...others] = target.kind === 'findings' ? target.findings : [];
  if (first !== undefined && others.length === 0) {
    const { fingerprint } = first;
    const { id } = await once(api.mutes.create, { fingerprint, reason, expiresAt });
    const isCovered = isMutedAfter(first, expiresAt);
    return { muteId: id, count: isCovered ? 0 : 1, unchanged: isCovered ? 1 : 0 };
  }
  const what =
    target.kind === 'findings'
      ? { findingIds: target.findings.map(({ id }) => id) }
      : { filter: target.filter };
  const { muted, unchanged } = await once(api.mutes.bulkCreate, { ...what, reason, expiresAt });
  // The API compares only mutes of single findings. A selector may mute a finding for longer, too.
  const isKept = (one: Finding) => isMutedAfter(one, expiresAt);
  const kept =
    target.kind === 'findings'
      ? Math.max(unchanged, target.findings.filter(isKept).length)
      : unchanged;
  return { muteId: undefined, count: muted + unchanged - kept, unchanged: kept };
}
