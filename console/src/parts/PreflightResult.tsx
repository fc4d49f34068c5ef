import type { Preflight } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { count, plural } from '../lib/format.ts';
import { Hidden } from '../ui/Button.tsx';
import styles from './parts.module.css';

type Check = Preflight['projects'][number]['checks'][number];

const ICONS = { pass: CircleCheck, skip: CircleCheck, warn: TriangleAlert, fail: CircleAlert };
const LABELS = { pass: 'Passed', skip: 'Skipped', warn: 'Warning', fail: 'Failed' };
const DECISIONS = {
  ready: { tone: 'good', icon: CircleCheck, text: 'Ready to scan' },
  ready_with_warnings: { tone: 'warn', icon: TriangleAlert, text: 'Ready, with warnings' },
  blocked: { tone: 'bad', icon: CircleAlert, text: 'The scan cannot start' },
} as const;

/** The decision, the estimate, and the checks that did not pass. */
export function PreflightResult({ preflight }: { readonly preflight: Preflight }) {
  const { decision, estimate, profile, projects } = preflight;
  const { tone, icon: Icon, text } = DECISIONS[decision];
  const checks = projects.flatMap(({ name, checks }) =>
    checks.map((check) => ({ project: name, ...check })),
  );
  const open = checks.filter(({ status }) => status === 'warn' || status === 'fail');
  return (
    <>
      <div role="status">
        <p className={styles.decision} data-tone={tone}>
          <Icon size={18} aria-hidden />
          {text}
        </p>
        <p className={styles.note}>
          {plural(projects.length, 'project')}, {plural(estimate.assets, 'asset')},{' '}
          {plural(profile.ruleCount, 'rule')}, at most {count(estimate.evaluations)} evaluations.
          About {duration(estimate.seconds)}.
        </p>
      </div>
      {open.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the keyboard
        <ul className={styles.checks} aria-label="Checks" tabIndex={0}>
          {open.map((check) => (
            <CheckLine
              key={`${check.project} ${check.id}`}
              check={check}
              project={check.project}
              isNamed={projects.length > 1}
            />
          ))}
        </ul>
      )}
      <p className={styles.note}>{plural(checks.length - open.length, 'check')} passed.</p>
    </>
  );
}

function CheckLine(props: {
  readonly check: Check;
  readonly project: string;
  /** The line begins with the project. */
  readonly isNamed: boolean;
}) {
  const { project } = props;
  const { status, code, message, remediation } = props.check;
  const Icon = ICONS[status];
  return (
    <li className={styles.check} data-status={status}>
      <Icon size={16} aria-hidden />
      <div>
        <Hidden>{LABELS[status]}: </Hidden>
        {props.isNamed && <b>{project}: </b>}
        {message}
        {code === 'INVENTORY_MISSING' ? (
          <small>
            <Link to="/projects/$name" params={{ name: project }} className={styles.link}>
              Upload an inventory to {project}
            </Link>
          </small>
        ) : (
          remediation !== '' && <small>{remediation}</small>
        )}
      </div>
    </li>
  );
}

function duration(seconds: number): string {
  if (seconds < 1) return 'a second';
  if (seconds < 90) return plural(Math.round(seconds), 'second');
  return plural(Math.round(seconds / 60), 'minute');
}
