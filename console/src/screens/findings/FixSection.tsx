import type { FindingWithFix } from '@cspm/sdk';
import { Wrench } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Failure } from '../../ui/States.tsx';
import styles from './FindingPanel.module.css';
import { useFinding } from './use-findings.ts';

type Fix = NonNullable<FindingWithFix['fix']>;

/** Loads the fix only when it is asked for: the list of findings has none, and moving down it makes no requests. */
export function FixSection({ id }: { readonly id: string }) {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useFinding(isAsked ? id : undefined, undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const isAnswered = data !== undefined || error !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer replaces the button, and the button the failure
  useEffect(() => {
    if (isAsked && document.activeElement === document.body) heading.current?.focus();
  }, [isAsked, isAnswered]);
  return (
    <section className={styles.section}>
      <h3 ref={heading} tabIndex={-1}>
        Fix
      </h3>
      {data === undefined && error === null && (
        <Button busy={isFetching} onClick={() => setAsked(true)}>
          <Wrench size={14} aria-hidden />
          Show the fix
        </Button>
      )}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.fix === null && (
        <p className={styles.prose}>There is no automatic fix: {data.noFix}.</p>
      )}
      {data !== undefined && data.fix !== null && <Notations fix={data.fix} />}
    </section>
  );
}

function Notations({ fix }: { readonly fix: Fix }) {
  return (
    <>
      <p className={styles.prose}>
        Verified on the stored asset. Nothing was changed in your cloud.
        {fix.caution !== null && ` ${fix.caution}`}
      </p>
      <Notation title="Command" label="Copy the fix as a command" text={fix.gcloud} />
      {fix.terraform.length > 0 && (
        <Notation title="Terraform" label="Copy the fix in Terraform" text={terraformText(fix)} />
      )}
      <Notation
        title="JSON Patch"
        label="Copy the fix as a patch"
        text={JSON.stringify(fix.patch, null, 1)}
      />
    </>
  );
}

interface NotationProps {
  readonly title: string;
  readonly label: string;
  readonly text: string;
}

function Notation({ title, label, text }: NotationProps) {
  return (
    <figure className={styles.notation}>
      <figcaption>{title}</figcaption>
      <div className={styles.command}>
        <code>{text}</code>
        <Copy text={text} label={label} />
      </div>
    </figure>
  );
}

/** One line for each attribute, with what identifies its resource as a comment. */
function terraformText({ terraform }: Fix): string {
  return terraform
    .map(({ resource, match, attribute, value }) => {
      const place = match === null ? resource : `${resource}: ${match}`;
      return `# ${place}\n${value === null ? `# remove ${attribute}` : `${attribute} = ${value}`}`;
    })
    .join('\n');
}
