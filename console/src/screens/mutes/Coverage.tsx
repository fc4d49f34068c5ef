import type { Mute } from '@cspm/sdk';
import { visible } from '../../lib/format.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { Copy } from '../../ui/Copy.tsx';
import styles from './MutesPage.module.css';

/** What a mute covers: one line for each condition. A finding must meet all of them. */
export function Coverage({ mute: { fingerprint, finding, selector } }: { readonly mute: Mute }) {
  if (fingerprint !== null) {
    // A server of 0.1.0 sends no finding.
    return finding ? (
      <dl className={styles.coverage}>
        <dt>Finding</dt>
        <dd>{finding.title}</dd>
        <dt>Asset</dt>
        <dd>
          <code>{visible(finding.asset.name)}</code>
        </dd>
        <dt>Project</dt>
        <dd>
          <code>{finding.project}</code>
        </dd>
      </dl>
    ) : (
      <dl className={styles.coverage}>
        <dt>Finding</dt>
        <dd className={styles.fingerprint}>
          <code>{fingerprint.slice(0, 12)}…</code>
          <Copy text={fingerprint} label="Copy the fingerprint" />
        </dd>
      </dl>
    );
  }
  const { ruleId, asset, project, label } = selector ?? {};
  return (
    <dl className={styles.coverage}>
      {ruleId !== undefined && (
        <>
          <dt>Rule</dt>
          <dd>
            <PermittedLink
              permission="rules.read"
              to="/rules/$id"
              params={{ id: ruleId }}
              className={styles.link}
            >
              {ruleId}
            </PermittedLink>
          </dd>
        </>
      )}
      {asset !== undefined && (
        <>
          <dt>Asset</dt>
          <dd>
            <code>{visible(asset)}</code>
          </dd>
        </>
      )}
      {project !== undefined && (
        <>
          <dt>Project</dt>
          <dd>
            <code>{project}</code>
          </dd>
        </>
      )}
      {label !== undefined && (
        <>
          <dt>Label</dt>
          <dd>
            <code>{label}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

/** What a mute covers, in one line: `Rule bucket-public, project shop-prod`. */
export function coverageText({ fingerprint, finding, selector }: Mute): string {
  if (finding) return `Finding ${finding.title}, asset ${visible(finding.asset.name)}`;
  if (fingerprint !== null) return `Finding ${fingerprint.slice(0, 12)}…`;
  const parts = [
    ['rule', selector?.ruleId],
    ['asset', selector?.asset && visible(selector.asset)],
    ['project', selector?.project],
    ['label', selector?.label],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
