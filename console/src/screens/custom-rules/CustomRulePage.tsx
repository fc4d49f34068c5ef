import type { CustomRule } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useIsShown } from '../../lib/use-is-shown.ts';
import { type Once, useOnce } from '../../lib/use-once.ts';
import { LeavePrompt } from '../../parts/LeavePrompt.tsx';
import { findingsSearchLink } from '../../parts/policy-links.ts';
import { useCan, useIdentity } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button, buttonLook } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Failure, Forbidden } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { ConflictDialog, DeletedDialog } from './ConflictDialog.tsx';
import styles from './custom-rules.module.css';
import { customRulesQuery, reloadRules } from './custom-rules-query.ts';
import { DeleteRuleDialog } from './DeleteRuleDialog.tsx';
import { DraftOffer } from './DraftOffer.tsx';
import { type Definition, type Draft, draftOf, NEW_DRAFT, restored } from './draft.ts';
import { hasCustomRules, NotLicensed } from './NotLicensed.tsx';
import { RuleForm } from './RuleForm.tsx';
import { checkVersion, RuleConflict, RuleDeleted } from './rule-conflict.ts';
import { useKeptDraft } from './use-kept-draft.ts';
import { useRuleEditor } from './use-rule-editor.ts';

const RuleDetails = lazy(async () => ({
  default: (await import('./editor/index.ts')).RuleDetails,
}));

const route = getRouteApi('/app/custom-rules/$id');

/** A form for a new rule. */
export function NewCustomRulePage() {
  const can = useCan();
  const { tenant } = useIdentity();
  const navigate = useNavigate();
  if (!can('rules.write')) return <Forbidden permission="rules.write" />;
  if (!hasCustomRules(tenant)) return <NotLicensed />;
  return (
    <Page
      title="Create a custom rule"
      subtitle="A condition on your assets. Every scan with the profile full evaluates it."
    >
      <BackLink />
      <Editor
        name={NEW_RULE}
        saved={NEW_DRAFT}
        isSaved={false}
        save={async ({ id }, definition, once) => {
          const own = id.trim();
          const rule = await once(api.customRules.create, {
            ...definition,
            ...(own === '' ? {} : { id: own }),
          });
          await reloadRules();
          toast('Rule created');
          const leave = () => navigate({ to: '/custom-rules/$id', params: { id: rule.id } });
          return { version: rule.version, leave };
        }}
      />
    </Page>
  );
}

/** One rule: a form, or its text for people who may not change it. */
export function CustomRulePage() {
  const can = useCan();
  const { tenant } = useIdentity();
  const { id } = route.useParams();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  if (!hasCustomRules(tenant)) return <NotLicensed />;
  return <RuleById key={id} id={id} mayWrite={can('rules.write')} />;
}

function RuleById({ id, mayWrite }: { readonly id: string; readonly mayWrite: boolean }) {
  const can = useCan();
  const navigate = useNavigate();
  const rules = useQuery(customRulesQuery);
  const [deleting, setDeleting] = useState<CustomRule | null>(null);
  // The form keeps the rule that it began with, also while the list is loaded again.
  const [first, setFirst] = useState<CustomRule | null>(null);
  const found = rules.data?.find((one) => one.id === id);
  if (first === null && found !== undefined) setFirst(found);
  const rule = found ?? first;
  const isGone = rules.data !== undefined && found === undefined && first === null;
  return (
    <Page
      title={rule?.title ?? id}
      subtitle={
        rule && (
          <span className={styles.facts}>
            <code className={styles.code}>{rule.id}</code> · version {rule.version}
            {!rule.enabled && <Badge>Disabled</Badge>}
          </span>
        )
      }
      actions={
        rule && (
          <>
            {can('findings.read') && (
              <Link {...findingsSearchLink({ rule: [id] })} {...buttonLook()}>
                Open findings
              </Link>
            )}
            {mayWrite && (
              <Button kind="danger" onClick={() => setDeleting(rule)}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      <BackLink />
      {rules.isError && rule === null ? (
        <Failure error={rules.error} onRetry={() => void rules.refetch()} />
      ) : isGone ? (
        <EmptyState title="There is no such custom rule">
          <p>It may have been deleted.</p>
        </EmptyState>
      ) : rule === null || rule === undefined ? (
        <Loading />
      ) : mayWrite ? (
        <Editor
          name={id}
          saved={draftOf(first ?? rule)}
          isSaved
          isDeleted={deleting !== null}
          save={async (draft, definition, once) => {
            const { version } = await saveRule(id, draft.version, definition, once);
            await reloadRules();
            toast('Rule saved');
            return { version };
          }}
        />
      ) : (
        <Suspense fallback={<Loading />}>
          <RuleDetails rule={rule} />
        </Suspense>
      )}
      <DeleteRuleDialog
        rule={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => navigate({ to: '/custom-rules' })}
      />
    </Page>
  );
}

/** @param version the version that is replaced; that of a new draft: the rule was deleted, and is created again. */
async function saveRule(
  id: string,
  version: number,
  definition: Definition,
  once: Once,
): Promise<CustomRule> {
  if (version === NEW_DRAFT.version) return once(api.customRules.create, { ...definition, id });
  await checkVersion(id, version);
  return api.customRules.update({ id, ...definition });
}

/** No rule can have this id. */
const NEW_RULE = '_new';

interface SavedRule {
  readonly version: number;
  /** Leads away from the form. Not called if it was left meanwhile. */
  readonly leave?: () => unknown;
}

interface EditorProps {
  /** Identifies the rule among the drafts that the tab keeps. */
  readonly name: string;
  readonly saved: Draft;
  readonly isSaved: boolean;
  /** The rule is about to be deleted, so nothing can be lost. */
  readonly isDeleted?: boolean;
  /** @param once lets a rule be created once. */
  readonly save: (draft: Draft, definition: Definition, once: Once) => Promise<SavedRule>;
}

/** The form, which asks before unsaved changes are lost. */
function Editor({ name, saved, isSaved, isDeleted = false, save }: EditorProps) {
  const navigate = useNavigate();
  const mayLeave = useRef(false);
  const isShown = useIsShown();
  const once = useOnce();
  const editor = useRuleEditor(saved, async (draft, definition) => {
    const { version, leave } = await save(draft, definition, once);
    if (leave !== undefined && isShown()) {
      mayLeave.current = true;
      leave();
    }
    return version;
  });
  const { isDirty, error } = editor;
  const [closed, setClosed] = useState<unknown>(null);
  const kept = useKeptDraft(name, editor);
  // The editor of the condition accepts another text only when it is created again.
  const [form, setForm] = useState(0);
  return (
    <>
      {kept.offer !== null && (
        <DraftOffer
          keptAt={kept.offer.keptAt}
          onRestore={() => {
            if (kept.offer !== null) editor.change(restored(kept.offer.draft));
            kept.settle();
            setForm((old) => old + 1);
          }}
          onDiscard={kept.discard}
        />
      )}
      <RuleForm
        key={form}
        editor={editor}
        isSaved={isSaved}
        onCancel={() => void navigate({ to: '/custom-rules' })}
      />
      {error instanceof RuleConflict && error !== closed && (
        <ConflictDialog
          conflict={error}
          onClose={() => setClosed(error)}
          onOverwrite={() => void editor.save(error.rule.version)}
        />
      )}
      {error instanceof RuleDeleted && error !== closed && (
        <DeletedDialog
          onClose={() => setClosed(error)}
          onCreate={() => void editor.save(NEW_DRAFT.version)}
        />
      )}
      <LeavePrompt
        wouldLose={() => isDirty && !isDeleted && !mayLeave.current}
        title="Leave without saving?"
        confirm="Discard changes"
        onLeave={kept.discard}
      >
        The changes to this rule are not saved.
      </LeavePrompt>
    </>
  );
}

function BackLink() {
  return (
    <Link to="/custom-rules" className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      All custom rules
    </Link>
  );
}

function Loading() {
  return (
    <section className={styles.card} aria-busy="true" aria-label="Loading the rule">
      <Skeleton width={260} />
      <Skeleton />
      <Skeleton height={150} />
    </section>
  );
}
