import type { AuditEvent } from '@cspm/sdk';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { useIdentity } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './AuditLogPage.module.css';
import { ACTION_TEXT, type AuditAction } from './actions.ts';
import { KIND_TEXT } from './kinds.ts';
import { type AuditSearch, NO_FILTERS } from './search.ts';

interface FiltersProps {
  readonly search: AuditSearch;
  /** The loaded events: their actors can be chosen. */
  readonly events: readonly AuditEvent[];
  readonly onChange: (next: Partial<AuditSearch>) => void;
}

const ALL = '';

const ACTIONS = [
  { value: ALL, label: 'All events' },
  ...Object.entries(ACTION_TEXT).map(([value, label]) => ({ value, label })),
];

const OUTCOMES = [
  { value: ALL, label: 'All outcomes' },
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Refused' },
] as const;

export function Filters({ search, events, onChange }: FiltersProps) {
  const { action, from, to } = search;
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <search className={styles.filters}>
      <Select
        label="Event"
        options={ACTIONS}
        value={action ?? ALL}
        onChange={(value) =>
          onChange({ action: value === ALL ? undefined : (value as AuditAction) })
        }
      />
      <Select
        label="Outcome"
        options={OUTCOMES}
        value={search.outcome ?? ALL}
        onChange={(value) => onChange({ outcome: value === ALL ? undefined : value })}
      />
      <ActorFilter search={search} events={events} onChange={onChange} />
      <Day
        label="From"
        value={from ?? ''}
        onChange={(value) => onChange({ from: value || undefined })}
      />
      <Day label="To" value={to ?? ''} onChange={(value) => onChange({ to: value || undefined })} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear
        </Button>
      )}
    </search>
  );
}

function ActorFilter({ search: { actor }, events, onChange }: FiltersProps) {
  const { user } = useIdentity();
  const options = new Map([[ALL, 'Everybody']]);
  if (user !== null) options.set(user.id, 'You');
  for (const [kind, label] of Object.entries(KIND_TEXT)) options.set(kind, label);
  for (const { actor: one } of events) {
    if (one.id !== null && !options.has(one.id)) options.set(one.id, one.label ?? one.id);
  }
  if (actor !== undefined && !options.has(actor)) options.set(actor, actor);
  return (
    <Select
      label="Actor"
      options={[...options].map(([value, label]) => ({ value, label }))}
      value={actor ?? ALL}
      onChange={(value) => onChange({ actor: value === ALL ? undefined : value })}
    />
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One request for a date, not one for each part of it. */
const PAUSE_MS = 500;
/** While a year is typed, the field has years such as 0002. */
const FIRST_DAY = '1970-01-01';

const completed = (text: string) => (text !== '' && text < FIRST_DAY ? null : text);

function Day({ label, value, onChange }: DayProps) {
  const [text, setText] = useDebouncedText(value, completed, onChange, PAUSE_MS);
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input
        type="date"
        max="9999-12-31"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
