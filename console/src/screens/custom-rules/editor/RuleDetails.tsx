import type { CustomRule } from '@cspm/sdk';
import { Severity } from '../../../ui/Severity.tsx';
import styles from '../custom-rules.module.css';
import { CelEditor } from './CelEditor.tsx';

/** A rule for people who may not change it. */
export function RuleDetails({ rule }: { readonly rule: CustomRule }) {
  const { severity, assetTypes, predicate, description, recommendation, tests } = rule;
  return (
    <div className={styles.main}>
      <section className={styles.card} aria-label="Rule">
        <dl className={styles.definition}>
          <dt>Severity</dt>
          <dd>
            <Severity level={severity} />
          </dd>
          <dt>Asset types</dt>
          <dd>{assetTypes.join(', ')}</dd>
          <dt>Description</dt>
          <dd>{description || '–'}</dd>
          <dt>Recommendation</dt>
          <dd>{recommendation || '–'}</dd>
        </dl>
      </section>
      <section className={styles.card} aria-labelledby="condition">
        <div className={styles.cardHead}>
          <h2 id="condition">Condition</h2>
          <p>True means that the asset violates the rule.</p>
        </div>
        <div className={styles.condition}>
          <CelEditor
            key={predicate}
            initialValue={predicate}
            label="Condition"
            fault={null}
            tests={NO_TESTS}
          />
        </div>
      </section>
      {tests.length > 0 && (
        <section className={styles.card} aria-labelledby="tests">
          <div className={styles.cardHead}>
            <h2 id="tests">Tests</h2>
          </div>
          {tests.map(({ asset, verdict }) => (
            <div key={`${verdict} ${JSON.stringify(asset)}`} className={styles.test}>
              <span>
                Expected verdict: <b>{verdict}</b>
              </span>
              <pre className={styles.sample}>{JSON.stringify(asset, null, 2)}</pre>
            </div>
          ))}
        </section>
      )}
    </div>
  );
}

const NO_TESTS: [] = [];
