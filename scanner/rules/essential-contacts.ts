import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { strings } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import { projectRule } from '../rule-kinds.ts';

const CONTACT = 'essentialcontacts.googleapis.com/Contact';

export const orgEssentialContacts = projectRule(
  {
    id: 'org-essential-contacts',
    title: 'Google does not know whom to tell of trouble',
    severity: 'low',
    category: 'iam',
    assetTypes: [CONTACT],
    description:
      'Google writes to the essential contacts of a project, or of what lies above it, about leaked keys, abuse and outages. Without contacts for security and technical matters the mail goes to owners, who may have left.',
    remediation:
      'Name a mailbox that is read, best on the organisation: gcloud essential-contacts create --email=ADDRESS --notification-categories=security,technical --language=en --organization=ORGANIZATION.',
    compliance: cis({ v4: '1.16', v5: '1.17' }),
  },
  (project, { snapshot }) => {
    if (!snapshot.landmarkTypes.includes(CONTACT)) return unknown('RESOURCE');
    const subscribed = project
      .of(CONTACT)
      .filter(({ data }) => !isEnum(data?.validationState, 'INVALID'))
      .flatMap(({ data }) => strings(data, 'notificationCategorySubscriptions'));
    const hears = (category: string) => subscribed.some((one) => isEnum(one, category));
    if (hears('ALL') || (hears('SECURITY') && hears('TECHNICAL'))) return PASS;
    return fail({
      message:
        'No contact of this project, or of what lies above it, hears of both security and technical matters.',
      evidence: [cite('notificationCategorySubscriptions', [...new Set(subscribed)].toSorted())],
    });
  },
);
