import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

const topicPublic = publicPolicyRule(
  {
    id: 'topic-public',
    title: 'Topic is public',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['pubsub.googleapis.com/Topic'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a topic lets anyone publish messages that your systems trust, or attach subscriptions and read messages.',
    remediation:
      'Grant the role to specific publishers and remove the public member: `gcloud pubsub topics remove-iam-policy-binding TOPIC --member=MEMBER --role=ROLE`.',
    compliance: NO_REQUIREMENT,
  },
  'topic',
);

const subscriptionPublic = publicPolicyRule(
  {
    id: 'subscription-public',
    title: 'Subscription is public',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['pubsub.googleapis.com/Subscription'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a subscription lets anyone read its messages, and acknowledge them before the intended receivers see them.',
    remediation:
      'Grant the role to specific subscribers and remove the public member: `gcloud pubsub subscriptions remove-iam-policy-binding SUBSCRIPTION --member=MEMBER --role=ROLE`.',
    compliance: NO_REQUIREMENT,
  },
  'subscription',
);

export const MESSAGING_RULES: readonly Rule[] = [subscriptionPublic, topicPublic];
