import { NO_REQUIREMENT } from '../compliance.ts';
import type { Rule } from '../rule.ts';
import { publicPolicyRule } from './public-policy.ts';

const topicPublic = publicPolicyRule(
  {
    id: 'topic-public',
    title: 'Topic is open to everyone',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['pubsub.googleapis.com/Topic'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a topic lets strangers publish what your systems then believe, or attach subscriptions and read along.',
    remediation:
      'Name those who publish, and remove everyone: gcloud pubsub topics remove-iam-policy-binding TOPIC --member=MEMBER --role=ROLE.',
    compliance: NO_REQUIREMENT,
  },
  'topic',
);

const subscriptionPublic = publicPolicyRule(
  {
    id: 'subscription-public',
    title: 'Subscription is open to everyone',
    severity: 'high',
    category: 'serverless',
    assetTypes: ['pubsub.googleapis.com/Subscription'],
    description:
      'A role for allUsers or allAuthenticatedUsers on a subscription lets strangers read its messages, and acknowledge them, so that those they were meant for never see them.',
    remediation:
      'Name those who read, and remove everyone: gcloud pubsub subscriptions remove-iam-policy-binding SUBSCRIPTION --member=MEMBER --role=ROLE.',
    compliance: NO_REQUIREMENT,
  },
  'subscription',
);

export const MESSAGING_RULES: readonly Rule[] = [subscriptionPublic, topicPublic];
