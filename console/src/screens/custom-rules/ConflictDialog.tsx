import { Button, buttonLook } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Time } from '../../ui/Time.tsx';
import type { RuleConflict } from './rule-conflict.ts';

interface ConflictProps {
  readonly conflict: RuleConflict;
  readonly onClose: () => void;
  readonly onOverwrite: () => void;
}

/** Asks what to do when the rule was saved by somebody else since the form was opened. Nothing is lost by closing it. */
export function ConflictDialog({ conflict: { rule }, onClose, onOverwrite }: ConflictProps) {
  return (
    <Dialog
      open
      title="The rule was changed meanwhile"
      description={
        <>
          Version {rule.version} was saved <Time at={rule.updatedAt} />, after you opened the rule.
          Your changes are not saved. Compare them with version {rule.version} before you overwrite
          it.
        </>
      }
      onClose={onClose}
    >
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <a href={location.href} target="_blank" rel="noopener" {...buttonLook()}>
          Open version {rule.version} in a new tab
        </a>
        <Button kind="danger" onClick={onOverwrite}>
          Overwrite version {rule.version}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface DeletedProps {
  readonly onClose: () => void;
  readonly onCreate: () => void;
}

/** Asks what to do when the rule was deleted by somebody else since the form was opened. */
export function DeletedDialog({ onClose, onCreate }: DeletedProps) {
  return (
    <Dialog
      open
      title="The rule was deleted meanwhile"
      description="Your changes are not saved. You can create the rule again, with its id and what you entered."
      onClose={onClose}
    >
      <DialogActions>
        <Button onClick={onClose}>Keep editing</Button>
        <Button kind="danger" onClick={onCreate}>
          Create it again
        </Button>
      </DialogActions>
    </Dialog>
  );
}
