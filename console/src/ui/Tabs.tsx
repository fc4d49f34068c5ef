import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { shortCount } from '../lib/format.ts';
import styles from './Tabs.module.css';

interface TabsProps<Value extends string> {
  /** What the tabs choose between. */
  readonly label: string;
  readonly tabs: readonly {
    readonly value: Value;
    readonly label: string;
    readonly count?: number | undefined;
  }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Stands beside the tabs. */
  readonly beside?: ReactNode;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly rowClassName?: string | undefined;
  readonly panelClassName?: string | undefined;
}

/** Tabs over one panel, which shows the content of the chosen tab. Arrow keys move the focus, Enter chooses. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, tabs, value, onChange, beside, children } = props;
  const id = useId();
  return (
    <div className={props.className}>
      <div className={props.rowClassName ?? styles.row}>
        <div className={styles.list} role="tablist" aria-label={label} onKeyDown={moveFocus}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              id={`${id}-${tab.value}`}
              type="button"
              role="tab"
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              className={styles.tab}
              onClick={() => tab.value !== value && onChange(tab.value)}
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className={styles.count}>{shortCount(tab.count)}</span>
              )}
            </button>
          ))}
        </div>
        {beside}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
        tabIndex={-1}
        className={props.panelClassName}
      >
        {children}
      </div>
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.indexOf(event.target as HTMLElement);
  const steps: Record<string, number> = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  const next = tabs[steps[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
