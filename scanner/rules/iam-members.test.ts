import { describe, expect, it } from 'vitest';
import { withAllowedDomains } from '../allowed-domains.ts';
import { Evaluator } from '../evaluate.ts';
import { profileOf } from '../profile.ts';
import { assetOf, policyOf } from '../testing/asset.ts';
import { NOW } from '../testing/now.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import { RULES } from './catalogue.ts';

const PROJECT = 'cloudresourcemanager.googleapis.com/Project';
const profile = profileOf(
  { name: 'custom:test', title: 'T', description: 'D' },
  RULES.filter(({ id }) => id === 'iam-external-members'),
);

function outsiders(domains: readonly string[], ...members: readonly string[]) {
  const context = { now: NOW, snapshot: snapshotOf([]) };
  const evaluator = new Evaluator(withAllowedDomains(profile, domains), context);
  const iamPolicy = policyOf(`r ${members.join(' ')}`);
  return evaluator
    .evaluate(assetOf({ type: PROJECT, iamPolicy }))
    .flatMap(({ findings }) => findings.map(({ subject }) => subject.slice(2)));
}

describe('with domains that the tenant has named', () => {
  it('members outside the domains of the tenant are external: people, groups and whole domains', () => {
    expect(
      outsiders(
        ['b.example', 'c.example'],
        'user:a@b.example',
        'user:A@C.EXAMPLE',
        'user:a@gmail.com',
        'group:g@sub.b.example',
        'group:g@googlegroups.com',
        'domain:b.example',
        'domain:d.example',
        'user:a@notb.example',
      ),
    ).toEqual([
      'user:a@gmail.com',
      'group:g@sub.b.example',
      'group:g@googlegroups.com',
      'domain:d.example',
      'user:a@notb.example',
    ]);
  });

  it('service accounts and federated identities are not treated as people', () => {
    expect(
      outsiders(
        ['b.example'],
        'serviceAccount:ci@other.iam.gserviceaccount.com',
        'principal://iam.googleapis.com/locations/global/workforcePools/p/subject/a@gmail.com',
        'allUsers',
        'projectEditor:p',
        'deleted:user:a@gmail.com?uid=1',
      ),
    ).toEqual([]);
  });

  it('a private account is internal when the tenant lists its domain', () => {
    expect(outsiders(['gmail.com'], 'user:a@gmail.com', 'user:a@googlemail.com')).toEqual([
      'user:a@googlemail.com',
    ]);
  });
});
