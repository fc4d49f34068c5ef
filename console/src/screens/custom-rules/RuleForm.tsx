import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Select } from '../../ui/Select.tsx';
import { SEVERITIES, SEVERITY_LABEL } from '../../ui/Severity.tsx';
import { TokenField } from '../../ui/TokenField.tsx';
import { ConditionField } from './ConditionField.tsx';
import styles from './custom-rules.module.css';
import { faultOf } from './draft.ts';
import { RuleConflict, RuleDeleted } from './rule-conflict.ts';
import { TestCases } from './TestCases.tsx';
import { TryOut } from './TryOut.tsx';
import type { RuleEditor } from './use-rule-editor.ts';

const LEVELS = SEVERITIES.map((value) => ({ value, label: SEVERITY_LABEL[value] }));

/** Why the last attempt failed; null: it did not. */
function failure(error: unknown): string | null {
  if (error === null) return null;
  const isOfRule = error instanceof RuleConflict || error instanceof RuleDeleted;
  return isOfRule ? error.message : errorText(error);
}

interface RuleFormProps {
  readonly editor: RuleEditor;
  /** The rule exists, so its id cannot be changed. */
  readonly isSaved: boolean;
  readonly onCancel: () => void;
}

/** The members of a rule, with the condition in an editor, beside its trial. */
export function RuleForm({ editor, isSaved, onCancel }: RuleFormProps) {
  const { draft, change, faults, condition } = editor;
  const errors = useFieldErrors(faults);
  return (
    <div className={styles.columns}>
      <Form className={styles.main} errors={errors} onFormSubmit={() => void editor.save()}>
        <Identification editor={editor} isSaved={isSaved} />
        <Card
          title="Condition"
          text={
            <>
              A <abbr title="Common Expression Language">CEL</abbr> expression. <b>True</b> means
              that the asset violates the rule. Missing data makes the verdict unknown: test with{' '}
              <code>has()</code> first.
            </>
          }
        >
          <ConditionField
            initialValue={draft.predicate}
            onChange={(predicate) => change({ predicate })}
            fault={condition}
            focusFault={editor.focusFault}
            inventory={editor.inventory}
            tests={draft.tests}
            onRun={editor.run}
            onFocus={editor.onFocus}
          />
        </Card>
        <TestCases
          tests={draft.tests}
          assetTypes={draft.assetTypes}
          results={editor.testResults}
          onChange={(tests) => change({ tests })}
        />
        <Texts editor={editor} />
        <FormBar editor={editor} isSaved={isSaved} onCancel={onCancel} />
      </Form>
      <aside className={styles.aside} aria-label="Trial">
        <TryOut
          trial={editor.trial}
          projects={editor.projects}
          project={editor.project}
          onProject={editor.choose}
          onRun={editor.run}
          isStale={editor.isStale}
        />
      </aside>
    </div>
  );
}

/** Title, severity, id and asset types. */
function Identification({ editor, isSaved }: Pick<RuleFormProps, 'editor' | 'isSaved'>) {
  const { draft, change, faults } = editor;
  const types = useAssetTypes();
  return (
    <Card title="Rule">
      <div className={styles.pair}>
        <TextField
          name="title"
          label="Title"
          required
          maxLength={200}
          autoComplete="off"
          placeholder="Bucket without an owner"
          value={draft.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <Select
          label="Severity"
          options={LEVELS}
          value={draft.severity}
          onChange={(severity) => change({ severity })}
        />
      </div>
      {!isSaved && (
        <TextField
          name="id"
          label="Id"
          description="Lower-case letters, digits, dots, hyphens. If empty, it is derived from the title. It cannot be changed later."
          mono
          maxLength={63}
          autoComplete="off"
          placeholder="bucket-has-owner"
          value={draft.id}
          onChange={(event) => change({ id: event.target.value })}
        />
      )}
      <TokenField
        label="Asset types"
        description="The rule is evaluated on assets of these types. Press Enter after each."
        values={draft.assetTypes}
        suggestions={types}
        onChange={(assetTypes) => change({ assetTypes })}
        error={faultOf(faults, 'assetTypes')}
      />
    </Card>
  );
}

/** Description, recommendation, and whether the rule is enabled. */
function Texts({ editor: { draft, change } }: Pick<RuleFormProps, 'editor'>) {
  return (
    <Card title="What people read">
      <TextField
        name="description"
        label="Description"
        description="Shown with each finding."
        rows={2}
        maxLength={2000}
        placeholder="Every bucket names its team in the label owner."
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <TextField
        name="recommendation"
        label="Recommendation"
        description="How to fix a violation, with commands between backticks."
        rows={2}
        maxLength={2000}
        placeholder="Set the label owner."
        value={draft.recommendation}
        onChange={(event) => change({ recommendation: event.target.value })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.target.checked })}
        />
        <span>
          Enabled
          <small>Scans with the profile full, and profiles that select it, evaluate it.</small>
        </span>
      </label>
    </Card>
  );
}

/** The error of the last attempt, and the buttons. */
function FormBar({ editor, isSaved, onCancel }: RuleFormProps) {
  return (
    <div className={styles.bar}>
      <FormError>{failure(editor.error)}</FormError>
      <div className={styles.buttons}>
        <span className={styles.quiet} role="status">
          {editor.isDirty ? 'Unsaved changes' : ''}
        </span>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" busy={editor.isBusy}>
          {isSaved ? 'Save rule' : 'Create rule'}
        </Button>
      </div>
    </div>
  );
}

/** The faults by field; those within a test case are also listed for the whole test case. */
function useFieldErrors(faults: RuleEditor['faults']) {
  return useMemo(
    () => ({
      ...faults,
      ...Object.fromEntries(
        Object.keys(faults)
          .map((path) => /^tests\.\d+/.exec(path)?.[0])
          .filter((test) => test !== undefined)
          .map((test) => [test, faultOf(faults, test) ?? '']),
      ),
    }),
    [faults],
  );
}

interface CardProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, text, children }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.cardHead}>
        <h2 id={id}>{title}</h2>
        {text !== undefined && <p>{text}</p>}
      </div>
      {children}
    </section>
  );
}

/** The asset types that rules know, for suggestions. */
function useAssetTypes(): readonly string[] {
  const { data } = useQuery(ruleCatalogueQuery);
  return useMemo(
    () => [...new Set(data?.flatMap(({ assetTypes }) => assetTypes))].toSorted(),
    [data],
  );
}
