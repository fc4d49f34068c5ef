import { visible } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogActions } from '../ui/Dialog.tsx';

interface ConflictProps<Content> {
  /** What is edited: `webhook`. */
  readonly noun: string;
  /** The names of the members. */
  readonly labels: Readonly<Record<keyof Content, string>>;
  /** The members that somebody else changed after the form was opened, as they are now. Null: they deleted it. */
  readonly theirs: Partial<Content> | null;
  /** The members that the person changed in the form. */
  readonly mine: Partial<Content>;
  /** Back to the form, with nothing lost. */
  readonly onClose: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

/** Shows what somebody else has changed, and asks whether to save over it or to create it again. */
export function ConflictDialog<Content extends object>(props: ConflictProps<Content>) {
  const { noun, labels, theirs, mine, onClose, onDiscard, onSave } = props;
  const verb = theirs === null ? 'deleted' : 'changed';
  const now: Partial<Content> = theirs ?? {};
  const changed = (Object.keys(labels) as (keyof Content)[]).filter((name) => name in now);
  return (
    <Dialog
      open
      title={`The ${noun} was ${verb} meanwhile`}
      description={`Somebody else ${verb} it after you opened the form. Your changes are not saved yet.`}
      wouldLose={false}
      onClose={onClose}
    >
      <ul>
        {changed.map((name) => (
          <li key={String(name)}>
            {labels[name]} is now <Value of={now[name]} />.{' '}
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
          {theirs === null ? 'Create it again' : 'Save my changes'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Value({ of }: { readonly of: unknown }) {
  const text = textOf(of);
  return text === '' ? 'empty' : <b style={{ overflowWrap: 'anywhere' }}>{visible(text)}</b>;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${textOf(inner)}`)
    .join(', ');
}
