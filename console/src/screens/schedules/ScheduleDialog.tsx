import type { Schedule } from '@cspm/sdk';
import { useState } from 'react';
import { changesOf } from '../../lib/changes.ts';
import { fieldErrors } from '../../lib/error-text.ts';
import { unlessDeleted } from '../../lib/unless-deleted.ts';
import { useAction } from '../../lib/use-action.ts';
import { useOnce } from '../../lib/use-once.ts';
import { ProfileChoice, ProjectChoices } from '../../parts/ScanChoices.tsx';
import { useConflictQuestion } from '../../parts/use-conflict-question.tsx';
import { useKeptForm } from '../../parts/use-kept-form.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { FormError, FormFailure, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
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
  const stored = inputOf(contentOf(schedule ?? NEW_DRAFT));
  const form = useKeptForm(
    `schedule ${schedule?.id ?? 'new'}`,
    { draft: stored, opened: stored },
    ({ draft, opened }) => Object.keys(changesOf(opened, draft)).length > 0,
  );
  const close = () => {
    form.forget();
    onClose();
  };
  return (
    <Dialog
      open
      title={schedule === null ? 'Create a schedule' : 'Edit the schedule'}
      description={form.notice}
      size="wide"
      wouldLose={form.isChanged}
      onClose={close}
    >
      <ScheduleForm
        schedule={schedule}
        content={form.content}
        onChange={(draft) => form.setContent({ ...form.content, draft })}
        onClose={close}
        onSaved={async () => {
          form.forget();
          await onSaved();
        }}
      />
    </Dialog>
  );
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
/** Chromium calls the time zone of a system that it does not know `Etc/Unknown`, shows UTC, and refuses the name. */
const OWN_ZONE = timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;

type Draft = Pick<Schedule, 'name' | 'projects' | 'profile' | 'cron' | 'timezone' | 'pullFirst'>;

const NEW_DRAFT: Draft = {
  name: '',
  projects: [],
  profile: 'full',
  cron: '0 3 * * *',
  timezone: OWN_ZONE,
  pullFirst: false,
};

/** What two people can change without a conflict. A cron expression means nothing without its time zone. */
interface Content extends Pick<Draft, 'name' | 'projects' | 'profile' | 'pullFirst'> {
  readonly time: readonly [cron: string, timezone: string];
}

const LABELS: Readonly<Record<keyof Content, string>> = {
  name: 'Name',
  projects: 'Projects',
  profile: 'Profile',
  pullFirst: 'Pull first',
  time: 'Time',
};

function contentOf({ name, projects, profile, cron, timezone, pullFirst }: Draft): Content {
  const time = [cron.trim(), timezone.trim()] as const;
  return { name: name.trim(), projects: projects.toSorted(), profile, pullFirst, time };
}

function inputOf({ time: [cron, timezone], ...rest }: Content): Draft {
  return { ...rest, cron, timezone };
}

interface FormProps extends DialogProps {
  /** What the person enters, and what they saw before they changed it. */
  readonly content: { readonly draft: Draft; readonly opened: Draft };
  readonly onChange: (draft: Draft) => void;
}

function ScheduleForm({ schedule, content: form, onChange, onClose, onSaved }: FormProps) {
  const { draft } = form;
  const { name, projects, profile, cron, timezone, pullFirst } = draft;
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  const [opened] = useState(() => contentOf(form.opened));
  const [isWithoutProject, setWithoutProject] = useState(false);
  const mayPull = useCan()('projects.write');
  const once = useOnce();
  const save = useAction(async (_, isShown) => {
    if (schedule === null) await once(api.schedules.create, inputOf(contentOf(draft)));
    else {
      const { id, enabled } = schedule;
      const present = await unlessDeleted(api.schedules.get({ id }));
      const content = merge(present && contentOf(present));
      if (content === null) return;
      if (present === null) await once(api.schedules.create, { ...inputOf(content), enabled });
      else await api.schedules.update({ id, ...inputOf(content), enabled: present.enabled });
    }
    await onSaved();
    toast(schedule === null ? 'Schedule created' : 'Schedule changed');
    if (isShown()) onClose();
  });
  const { merge, question } = useConflictQuestion({
    noun: 'schedule',
    labels: LABELS,
    opened,
    changes: changesOf(opened, contentOf(draft)),
    onDiscard: () => {
      void onSaved();
      onClose();
    },
    onSave: save.run,
  });
  const submit = () => {
    setWithoutProject(projects.length === 0);
    if (projects.length > 0) save.run();
  };
  return (
    <Form className={styles.form} errors={fieldErrors(save.error)} onFormSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <ProjectChoices
        selected={new Set(projects)}
        onToggle={(project) => {
          const others = projects.filter((one) => one !== project);
          change({ projects: others.length < projects.length ? others : [...projects, project] });
          setWithoutProject(false);
        }}
      />
      <ProfileChoice value={profile} onChange={(chosen) => change({ profile: chosen })} />
      {mayPull && (
        <label className={styles.pull}>
          <input
            type="checkbox"
            checked={pullFirst}
            onChange={() => change({ pullFirst: !pullFirst })}
          />
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
        onChange={({ target }) => change({ cron: target.value })}
      />
      <TextField
        name="timezone"
        label="Time zone"
        description="An IANA name, such as Europe/Berlin."
        required
        maxLength={64}
        autoComplete="off"
        value={timezone}
        onChange={({ target }) => change({ timezone: target.value })}
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
      {question}
    </Form>
  );
}
