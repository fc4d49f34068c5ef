import type { Profile, Rule } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { takeLostFocus } from '../../lib/take-lost-focus.ts';
import { ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { toast } from '../../ui/Toasts.tsx';
import { DeleteProfileDialog } from './DeleteProfileDialog.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import styles from './profiles.module.css';
import { profilesQuery } from './profiles-query.ts';
import { RuleList } from './RuleList.tsx';

const route = getRouteApi('/app/profiles/$name');

/** A form for a new profile. */
export function NewProfilePage() {
  const can = useCan();
  const navigate = useNavigate();
  const data = useProfileData();
  if (!can('rules.write')) return <Forbidden permission="rules.write" />;
  return (
    <Page
      title="Create a profile"
      subtitle="Choose the rules that scans with this profile evaluate."
    >
      <BackLink />
      <Loaded query={data.query}>
        {data.rules === undefined || data.profiles === undefined ? (
          <Loading />
        ) : (
          <ProfileForm
            profile={null}
            rules={data.rules}
            profiles={data.profiles}
            onSave={async (name, definition, once) => {
              await once(api.profiles.create, { name, ...definition });
              await data.reload();
              toast('Profile created');
            }}
            onSaved={(name) => void navigate({ to: '/profiles/$name', params: { name } })}
            onCancel={() => void navigate({ to: '/profiles' })}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** One profile: its rules, and a form if it belongs to the tenant. */
export function ProfilePage() {
  const can = useCan();
  const { name } = route.useParams();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  // The back button can lead from the form of one profile to another profile.
  return <ProfileByName key={name} name={name} mayWrite={can('rules.write')} />;
}

function ProfileByName({ name, mayWrite }: { readonly name: string; readonly mayWrite: boolean }) {
  const navigate = useNavigate();
  const data = useProfileData();
  /** Undefined: the form has not been open yet. */
  const [isEditing, setEditing] = useState<boolean>();
  const [isDeleting, setDeleting] = useState(false);
  const profile = data.profiles?.find((one) => one.name === name);
  const isOwn = profile !== undefined && profile.definition !== null;
  const actions = isOwn && mayWrite && !isEditing && (
    <>
      <Button
        ref={isEditing === false ? takeLostFocus : undefined}
        onClick={() => setEditing(true)}
      >
        Edit
      </Button>
      <Button kind="danger" onClick={() => setDeleting(true)}>
        Delete
      </Button>
    </>
  );
  return (
    <Page
      title={profile === undefined || isOwn ? name : profile.title}
      subtitle={
        profile &&
        `${plural(profile.ruleCount, 'rule')} · ${isOwn ? 'own profile' : 'built-in profile, read-only'}`
      }
      actions={actions}
    >
      <BackLink />
      <Loaded query={data.query}>
        {data.rules === undefined || data.profiles === undefined ? (
          <Loading />
        ) : profile === undefined ? (
          // A list that could not be loaded again may lack a new one.
          !data.query.isError && (
            <EmptyState title="There is no such profile">
              <p>It may have been deleted.</p>
            </EmptyState>
          )
        ) : isEditing && isOwn ? (
          <ProfileForm
            profile={profile}
            rules={data.rules}
            profiles={data.profiles}
            onSave={async (saved, definition) => {
              await api.profiles.update({ name: saved, ...definition });
              await data.reload();
              toast('Profile saved');
            }}
            onSaved={() => setEditing(false)}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <Details profile={profile} rules={data.rules} />
        )}
      </Loaded>
      <DeleteProfileDialog
        profile={isDeleting && profile !== undefined ? profile : null}
        onClose={() => setDeleting(false)}
        onDeleted={async (isShown) => {
          if (isShown) await navigate({ to: '/profiles' });
          await data.reload();
        }}
      />
    </Page>
  );
}

function useProfileData() {
  const queryClient = useQueryClient();
  const profiles = useQuery(profilesQuery);
  const rules = useQuery(ruleCatalogueQuery);
  return {
    profiles: profiles.data?.items,
    rules: rules.data,
    /** Both as one. */
    query: {
      data: profiles.data && rules.data,
      error: profiles.error ?? rules.error,
      isError: profiles.isError || rules.isError,
      isFetching: profiles.isFetching || rules.isFetching,
      refetch: () => {
        for (const query of [profiles, rules]) if (query.isError) void query.refetch();
      },
    },
    reload: () => queryClient.invalidateQueries({ queryKey: profilesQuery.queryKey }),
  };
}

function BackLink() {
  return (
    <Link to="/profiles" className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      All profiles
    </Link>
  );
}

function Loading() {
  return (
    <section className={styles.card} aria-busy="true" aria-label="Loading the profile">
      <Skeleton width={260} />
      <Skeleton />
      <Skeleton />
    </section>
  );
}

function Details({
  profile: { description, definition, rules: ids },
  rules,
}: {
  readonly profile: Profile;
  readonly rules: readonly Rule[];
}) {
  const chosen = new Set(ids);
  const parameters = Object.entries(definition?.parameters ?? {});
  return (
    <>
      {definition === null ? (
        <p>{description}</p>
      ) : (
        <section className={styles.card}>
          <dl className={styles.definition}>
            <dt>Includes</dt>
            <dd>{definition.include.map(chip)}</dd>
            {definition.exclude.length > 0 && (
              <>
                <dt>Excludes</dt>
                <dd>{definition.exclude.map(chip)}</dd>
              </>
            )}
            {parameters.length > 0 && (
              <>
                <dt>Parameters</dt>
                <dd>
                  {parameters.flatMap(([rule, values]) =>
                    Object.entries(values).map(([name, value]) =>
                      chip(`${rule}: ${name} = ${JSON.stringify(value)}`),
                    ),
                  )}
                </dd>
              </>
            )}
          </dl>
        </section>
      )}
      <RuleList rules={rules.filter(({ id }) => chosen.has(id))} />
    </>
  );
}

function chip(text: string) {
  return (
    <code key={text} className={styles.chip}>
      {text}
    </code>
  );
}
