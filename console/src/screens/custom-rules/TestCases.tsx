import type { RuleTrial } from '@cspm/sdk';
import { Plus, Trash2 } from 'lucide-react';
import { Badge, Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './custom-rules.module.css';
import { assetTemplate, type DraftTest, newTest, type Verdict } from './draft.ts';

/** The number of tests that the API accepts. */
const TESTS_MAX = 50;
const SHOWN_TYPE = 'storage.googleapis.com/Bucket';

const VERDICTS = [
  { value: 'fail', label: 'fail: it violates the rule' },
  { value: 'pass', label: 'pass: it is fine' },
  { value: 'unknown', label: 'unknown: data is missing' },
] as const satisfies readonly { value: Verdict; label: string }[];

interface TestCasesProps {
  readonly tests: readonly DraftTest[];
  readonly assetTypes: readonly string[];
  /** The verdicts of the last run, if the tests are still the same. */
  readonly results: RuleTrial['verdicts'] | null;
  readonly onChange: (tests: readonly DraftTest[]) => void;
}

/** Sample assets with the verdict that the rule must have for each. */
export function TestCases({ tests, assetTypes, results, onChange }: TestCasesProps) {
  const replace = (key: string, change: Partial<DraftTest>) =>
    onChange(tests.map((one) => (one.key === key ? { ...one, ...change } : one)));
  return (
    <section className={styles.card} aria-labelledby="tests">
      <div className={styles.cardHead}>
        <h2 id="tests">Tests</h2>
        <p>Sample assets with the expected verdict. A rule whose tests fail cannot be saved.</p>
      </div>
      {tests.map((test, index) => {
        const result = results?.[index];
        return (
          <fieldset key={test.key} className={styles.test}>
            <legend>
              Test {index + 1}
              {result !== undefined && <Outcome result={result} />}
            </legend>
            <TextField
              name={`tests.${index}`}
              label="Asset"
              description="A record of a Cloud Asset Inventory export, as JSON."
              rows={7}
              mono
              spellCheck={false}
              value={test.asset}
              onChange={(event) => replace(test.key, { asset: event.target.value })}
            />
            <div className={styles.testFoot}>
              <Select
                label="Expected verdict"
                options={VERDICTS}
                value={test.verdict}
                onChange={(verdict) => replace(test.key, { verdict })}
              />
              <Button
                kind="quiet"
                aria-label={`Remove test ${index + 1}`}
                onClick={() => onChange(tests.filter(({ key }) => key !== test.key))}
              >
                <Trash2 size={14} aria-hidden />
                Remove
              </Button>
            </div>
          </fieldset>
        );
      })}
      {tests.length < TESTS_MAX && (
        <div>
          <Button
            onClick={() =>
              onChange([...tests, newTest(assetTemplate(assetTypes[0] ?? SHOWN_TYPE), 'fail')])
            }
          >
            <Plus size={14} aria-hidden />
            Add a test
          </Button>
        </div>
      )}
    </section>
  );
}

function Outcome({ result }: { readonly result: RuleTrial['verdicts'][number] }) {
  return result.verdict === result.expected ? (
    <Badge tone="good">Passed</Badge>
  ) : (
    <Badge tone="bad">Returned {result.verdict}</Badge>
  );
}
