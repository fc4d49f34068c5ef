import { cis } from '../compliance.ts';
import { cite, ELEMENTS_MAX } from '../evidence.ts';
import { enumAt, isEnum } from '../facts/enumeration.ts';
import { strings } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { perGroup } from '../reference-asset-groups.ts';
import { projectRule } from '../rule-kinds.ts';

/*
 * Fields: essentialcontacts v1, discovery revision 20260319.
 */

const CONTACT = 'essentialcontacts.googleapis.com/Contact';

export const orgEssentialContacts = projectRule(
  {
    id: 'org-essential-contacts',
    title: 'Essential contacts are missing',
    severity: 'low',
    category: 'iam',
    assetTypes: [CONTACT],
    description:
      'Google notifies the essential contacts of a project, folder or organization about leaked keys, abuse and outages. Without contacts for security and technical matters the mail goes to owners, who may have left.',
    remediation:
      'Add a monitored mailbox, preferably on the organization: `gcloud essential-contacts create --email=ADDRESS --notification-categories=security,technical --language=en --organization=ORGANIZATION`.',
    compliance: cis({ v4: '1.16', v5: '1.17' }),
    noFix: 'needs the addresses of the contacts',
  },
  (project, { snapshot }) => {
    if (!snapshot.referenceAssetTypes.includes(CONTACT)) return unknown('RESOURCE');
    const heard = [project.own(CONTACT), ...project.above(CONTACT)].map(subscriptionsOf);
    const hears = (category: Category) => heard.some((group) => group.hears.has(category));
    if (hears('ALL') || (hears('SECURITY') && hears('TECHNICAL'))) return PASS;
    return fail({
      message:
        'No combination of contacts of this project, its folders or its organization covers both security and technical notifications.',
      evidence: [
        cite(
          'notificationCategorySubscriptions',
          [...new Set(heard.flatMap(({ first }) => first))].toSorted(),
        ),
      ],
    });
  },
);

/** States of a contact that receives mail: it was validated, or was not asked yet. */
const REACHABLE: ReadonlySet<string> = new Set(['', 'VALID', 'VALIDATIONSTATEUNSPECIFIED']);

const CATEGORIES = ['ALL', 'SECURITY', 'TECHNICAL'] as const;
type Category = (typeof CATEGORIES)[number];

/** The notification categories of a group's contacts. */
interface Subscriptions {
  /** The relevant categories. */
  readonly hears: ReadonlySet<Category>;
  /** The first names from the inventory; more exist than are cited. */
  readonly first: readonly string[];
}

const subscriptionsOf = perGroup((contacts): Subscriptions => {
  const hears = new Set<Category>();
  const first = new Set<string>();
  for (const { data } of contacts) {
    if (!REACHABLE.has(enumAt(data, 'validationState') ?? '')) continue;
    for (const one of strings(data, 'notificationCategorySubscriptions')) {
      if (first.size <= ELEMENTS_MAX) first.add(one);
      for (const category of CATEGORIES) if (isEnum(one, category)) hears.add(category);
    }
  }
  return { hears, first: [...first] };
});
