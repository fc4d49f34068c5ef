import type { AuditEvent } from '@cspm/sdk';
import { dateTime } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Fact, Facts } from '../../ui/Section.tsx';
import styles from './AuditLogPage.module.css';
import { actionText } from './actions.ts';
import { actorText } from './event-columns.tsx';

interface EventDialogProps {
  readonly event: AuditEvent;
  readonly onClose: () => void;
}

/** Everything that is recorded about an event. */
export function EventDialog({ event, onClose }: EventDialogProps) {
  const { action, at, outcome, actor, ip, subject, correlationId, detail } = event;
  return (
    <Dialog
      open
      size="wide"
      title={actionText(action)}
      description={dateTime(at)}
      onClose={onClose}
    >
      <Facts>
        <Fact label="Outcome">{outcome === 'success' ? 'Success' : 'Refused'}</Fact>
        <Fact label="Actor">{actorText(actor)}</Fact>
        {actor.id !== null && (
          <Fact label="Actor id">
            <CopyId id={actor.id} label="Copy the id of the actor" />
          </Fact>
        )}
        <Fact label="Credential">{actor.kind}</Fact>
        <Fact label="Address">{ip}</Fact>
        {subject !== null && (
          <Fact label="Subject">
            <CopyId id={subject} label="Copy the subject" />
          </Fact>
        )}
        <Fact label="Correlation id">
          <CopyId id={correlationId} label="Copy the correlation id" />
        </Fact>
      </Facts>
      {Object.keys(detail).length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
        <pre className={styles.detail} tabIndex={0}>
          {JSON.stringify(detail, null, 2)}
        </pre>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
