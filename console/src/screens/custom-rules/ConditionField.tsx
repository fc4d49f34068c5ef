import { lazy, Suspense } from 'react';
import { Hidden, Kbd } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './custom-rules.module.css';
import type { CelEditorProps } from './editor/CelEditor.tsx';

const CelEditor = lazy(async () => ({
  default: (await import('./editor/index.ts')).CelEditor,
}));

const LEAVE = 'Press Escape, then Tab to leave the editor.';

export function ConditionField(props: Omit<CelEditorProps, 'label' | 'hint'>) {
  const { fault } = props;
  return (
    <div className={styles.condition}>
      <Suspense fallback={<Skeleton height={150} />}>
        <CelEditor {...props} label="Condition" hint={LEAVE} />
      </Suspense>
      <Hidden>
        <span role="alert">{fault === null ? '' : announced(fault)}</span>
      </Hidden>
      <p className={styles.keys}>
        <span>
          <Kbd>Ctrl Space</Kbd> completes
        </span>
        <span>
          <Kbd>Esc</Kbd> <Kbd>Tab</Kbd> leaves the editor
        </span>
      </p>
    </div>
  );
}

function announced({ place, message }: NonNullable<CelEditorProps['fault']>): string {
  return place === null
    ? `Condition: ${message}`
    : `Condition, line ${place.line}, column ${place.column}: ${message}`;
}
