import type { Webhook } from '@cspm/sdk';
import { visible } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { type Draft, LABELS } from './draft.ts';

/** Somebody changed the webhook after the form was opened. */
export interface WebhookConflict {
  /** The webhook as it is now. */
  readonly present: Webhook;
  /** The members that they changed. */
  readonly theirs: Partial<Draft>;
}

interface ConflictProps {
  readonly conflict: WebhookConflict;
  /** The members that the person changed in the form. */
  readonly mine: Partial<Draft>;
  /** Back to the form, with nothing lost. */
  readonly onClose: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** Shows what somebody else has changed, and asks whether to save over it. */
export function ConflictDialog(props: ConflictProps) {
  const { conflict, mine, onClose, onDiscard, onSave } = props;
  const { theirs } = conflict;
  const changed = (Object.keys(LABELS) as (keyof Draft)[]).filter((name) => name in theirs);
  return (
    <Dialog
      open
      title="The webhook was changed meanwhile"
      description="Somebody else changed it after you opened the form. Your changes are not saved yet."
      wouldLose={false}
      onClose={onClose}
    >
      <ul>
        {changed.map((name) => (
          <li key={name}>
            {LABELS[name]} is now <Value of={theirs[name]} />.{' '}
            {name in mine ? (
              <>
                If you save, it becomes <Value of={mine[name]} />.
              </>
            ) : (
              'If you save, it stays so.'
            )}
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <Button onClick={onDiscard}>Discard my changes</Button>
        <Button kind="danger" onClick={onSave}>
          Save my changes
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Value({ of }: { readonly of: Draft[keyof Draft] | undefined }) {
  const text = String(typeof of === 'object' ? of.join(', ') : of);
  return text === '' ? 'empty' : <b style={{ overflowWrap: 'anywhere' }}>{visible(text)}</b>;
}
