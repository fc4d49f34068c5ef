import type { Project, RuleTrial } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleHelp, CircleX, Play, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { count, kindOf, plural, shortName, visible } from '../../lib/format.ts';
import { Badge, Button, Hidden, Kbd } from '../../ui/Button.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './custom-rules.module.css';
import type { Verdict } from './draft.ts';
import type { Trial, TrialRun } from './use-trial.ts';

const NO_PROJECT = '';
/** Assets of a verdict that are shown at first, and with each further press. */
const STEP = 50;
const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.userAgent);

interface TryOutProps {
  readonly trial: TrialRun;
  /** Undefined: loading. */
  readonly projects: readonly Project[] | undefined;
  readonly project: string | undefined;
  readonly onProject: (project: string | undefined) => void;
  readonly onRun: () => void;
  /** The rule was changed after the last run. */
  readonly isStale: boolean;
}

/** Runs the rule on the inventory of a project and lists the verdicts. */
export function TryOut({ trial, projects, project, onProject, onRun, isStale }: TryOutProps) {
  const { isRunning, last, error } = trial;
  const usable = projects?.filter(({ inventory }) => inventory !== null) ?? [];
  return (
    <section className={styles.card} aria-labelledby="try-out" aria-busy={isRunning}>
      <div className={styles.cardHead}>
        <h2 id="try-out">Try it out</h2>
        <p>Evaluates the rule without saving it.</p>
      </div>
      <div className={styles.tryRow}>
        <Select
          label="Inventory of"
          options={[
            ...usable.map(({ name, inventory }) => ({
              value: name,
              label: `${name} · ${plural(inventory?.assets ?? 0, 'asset')}`,
            })),
            { value: NO_PROJECT, label: 'No project, only the tests' },
          ]}
          value={project ?? NO_PROJECT}
          onChange={(value) => onProject(value === NO_PROJECT ? undefined : value)}
        />
        {isRunning ? (
          <Button onClick={trial.cancel}>
            <Square size={13} aria-hidden />
            Stop
          </Button>
        ) : (
          <Button onClick={onRun} aria-keyshortcuts="Control+Enter Meta+Enter">
            <Play size={14} aria-hidden />
            Run
            <Kbd>{IS_MAC ? '⌘↵' : 'Ctrl ↵'}</Kbd>
          </Button>
        )}
      </div>
      {projects !== undefined && usable.length === 0 && (
        <p className={styles.quiet}>
          No project has an inventory.{' '}
          <Link to="/projects" className={styles.link}>
            Upload one
          </Link>{' '}
          to see which assets the rule matches.
        </p>
      )}
      <FormError>{error === null ? null : errorText(error)}</FormError>
      <div aria-live="polite">{last !== null && <Summary trial={last} isStale={isStale} />}</div>
      {last === null ? (
        <Waiting isRunning={isRunning} />
      ) : (
        last.project !== undefined && <Verdicts result={last.result} />
      )}
    </section>
  );
}

function Waiting({ isRunning }: { readonly isRunning: boolean }) {
  return (
    <p className={styles.waiting}>
      {isRunning
        ? 'Evaluating the rule…'
        : 'Choose a project and run the rule: the assets that violate it appear here.'}
    </p>
  );
}

function Summary({ trial, isStale }: { readonly trial: Trial; readonly isStale: boolean }) {
  const { result, project } = trial;
  const tests = result.verdicts.filter(({ expected }) => expected !== null);
  const failed = tests.filter(({ verdict, expected }) => verdict !== expected).length;
  const hasFault = result.errors.some(({ path }) => /predicate$/.test(path));
  return (
    <div className={styles.summary}>
      {isStale && <Badge tone="warn">Changed since this run</Badge>}
      {hasFault && <Badge tone="bad">The condition has an error</Badge>}
      {tests.length > 0 && (
        <Badge tone={failed === 0 ? 'good' : 'bad'}>
          {failed === 0
            ? `${plural(tests.length, 'test')} passed`
            : `${failed} of ${plural(tests.length, 'test')} failed`}
        </Badge>
      )}
      {project !== undefined && !hasFault && (
        <span>
          {plural(result.evaluated, 'asset')} of <b>{project}</b> evaluated
          {result.complete ? '' : ', not all: there are more, or the time was up'}
        </span>
      )}
      {project === undefined && tests.length === 0 && !hasFault && (
        <span>The condition is valid. There are no tests to run.</span>
      )}
    </div>
  );
}

const CHOICES: readonly { readonly value: Verdict; readonly label: string }[] = [
  { value: 'fail', label: 'Violations' },
  { value: 'unknown', label: 'Undecided' },
  { value: 'pass', label: 'Passed' },
];

const NOTHING: Readonly<Record<Verdict, string>> = {
  fail: 'No asset violates the rule.',
  unknown: 'The rule decides every asset.',
  pass: 'No asset passes.',
};

function Verdicts({ result }: { readonly result: RuleTrial }) {
  const assets = result.verdicts.filter(({ expected }) => expected === null);
  if (assets.length > 0) return <Assets assets={assets} />;
  return result.errors.length > 0 ? null : (
    <p className={styles.waiting}>The inventory has no asset of these types.</p>
  );
}

function Assets({ assets }: { readonly assets: RuleTrial['verdicts'] }) {
  const of = (wanted: Verdict) => assets.filter(({ verdict }) => verdict === wanted);
  const [choice, setChoice] = useState<Verdict>(
    () => CHOICES.find(({ value }) => of(value).length > 0)?.value ?? 'fail',
  );
  const [limit, setLimit] = useState(STEP);
  const chosen = of(choice);
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>
          <Hidden>Verdicts</Hidden>
        </legend>
        {CHOICES.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === choice}
            onClick={() => {
              setChoice(value);
              setLimit(STEP);
            }}
          >
            {label} <span>{count(of(value).length)}</span>
          </button>
        ))}
      </fieldset>
      {chosen.length === 0 ? (
        <p className={styles.waiting}>{NOTHING[choice]}</p>
      ) : (
        <ul
          className={styles.assets}
          aria-label={CHOICES.find(({ value }) => value === choice)?.label}
        >
          {chosen.slice(0, limit).map(({ asset, verdict, message }) => (
            <li key={`${asset.type} ${asset.name}`}>
              {ICONS[verdict]}
              <span>
                <b title={visible(asset.name)}>{shortName(asset.name)}</b>
                <small>{kindOf(asset.type)}</small>
                {message !== '' && <code>{message}</code>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > limit && (
        <Button wide onClick={() => setLimit(limit + STEP)}>
          Show {Math.min(STEP, chosen.length - limit)} more of {count(chosen.length)}
        </Button>
      )}
    </>
  );
}

const ICONS: Readonly<Record<Verdict, ReactNode>> = {
  fail: <CircleX size={16} className={styles.fail} aria-hidden />,
  unknown: <CircleHelp size={16} className={styles.unknown} aria-hidden />,
  pass: <CircleCheck size={16} className={styles.pass} aria-hidden />,
};
