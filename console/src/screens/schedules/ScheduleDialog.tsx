import type { Schedule } from '@cspm/sdk';
import { useState } from 'react';
import { fieldErrors } from '../../lib/error-text.ts';
import { useAction } from '../../lib/use-action.ts';
import { ProfileChoice, ProjectChoices } from '../../parts/ScanChoices.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { NextRuns } from './NextRuns.tsx';
import styles from './SchedulesPage.module.css';

interface DialogProps {
  /** Null: a new one. */
  readonly schedule: Schedule | null;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

export function ScheduleDialog({ schedule, onClose, onSaved }: DialogProps) {
  return (
    <Dialog
      open
      title={schedule === null ? 'Create a schedule' : 'Edit the schedule'}
      size="wide"
      onClose={onClose}
    >
      <ScheduleForm schedule={schedule} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function ScheduleForm({ schedule, onClose, onSaved }: DialogProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(schedule?.projects));
  const [profile, setProfile] = useState(schedule?.profile ?? 'full');
  const [cron, setCron] = useState(schedule?.cron ?? '0 3 * * *');
  const [timezone, setTimezone] = useState(schedule?.timezone ?? OWN_ZONE);
  const [pullFirst, setPullFirst] = useState(schedule?.pullFirst ?? false);
  const [isWithoutProject, setWithoutProject] = useState(false);
  const mayPull = useCan()('projects.write');
  const save = useAction(async (values: FormValues) => {
    const name = (values['name'] ?? '').trim();
    const projects = [...selected];
    const content = { name, projects, profile, cron: cron.trim(), timezone: timezone.trim() };
    if (schedule === null) await api.schedules.create({ ...content, pullFirst });
    else {
      const { id } = schedule;
      // Somebody may have changed what the form does not show since the list was loaded.
      const { enabled, ...now } = await api.schedules.get({ id });
      const pulls = mayPull ? pullFirst : now.pullFirst;
      await api.schedules.update({ id, ...content, pullFirst: pulls, enabled });
    }
    await onSaved();
    toast(schedule === null ? 'Schedule created' : 'Schedule changed');
    onClose();
  });
  const submit = (values: FormValues) => {
    setWithoutProject(selected.size === 0);
    if (selected.size > 0) save.run(values);
  };
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={schedule?.name}
      />
      <ProjectChoices
        selected={selected}
        onToggle={(name) => {
          const next = new Set(selected);
          if (!next.delete(name)) next.add(name);
          setSelected(next);
          setWithoutProject(false);
        }}
      />
      <ProfileChoice value={profile} onChange={setProfile} />
      {mayPull && (
        <label className={styles.pull}>
          <input type="checkbox" checked={pullFirst} onChange={() => setPullFirst(!pullFirst)} />
          <span>Pull a new inventory of each project first</span>
          <small>
            Every project needs an inventory source. A project whose pull fails is left out of that
            scan.
          </small>
        </label>
      )}
      <TextField
        name="cron"
        label="Cron expression"
        description="Minute, hour, day of month, month, day of week. At most once an hour."
        required
        mono
        maxLength={100}
        autoComplete="off"
        value={cron}
        onChange={(event) => setCron(event.target.value)}
      />
      <TextField
        name="timezone"
        label="Time zone"
        description="An IANA name, such as Europe/Berlin."
        required
        maxLength={64}
        autoComplete="off"
        value={timezone}
        onChange={(event) => setTimezone(event.target.value)}
      />
      <NextRuns cron={cron.trim()} timezone={timezone.trim()} ownZone={OWN_ZONE} />
      {isWithoutProject ? (
        <FormError>Choose at least one project.</FormError>
      ) : (
        <FormFailure error={save.error} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={save.isBusy}>
          {schedule === null ? 'Create schedule' : 'Save'}
        </Button>
      </DialogActions>
    </Form>
  );
}
