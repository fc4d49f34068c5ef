import type { Notice } from '../../platform/mail/mail.ts';
import { quoted } from '../../platform/mail/render.ts';
import { visible } from '../../platform/visible-text.ts';
import type { WebAddress } from '../../platform/web-address.ts';
import type { Digest } from './digest-times.ts';

interface NewFindings {
  /** The member who subscribed to new critical and high findings of the tenant. */
  readonly userId: string;
  readonly tenantName: string;
  readonly digest: Exclude<Digest, 'off'>;
  readonly scans: number;
  readonly critical: number;
  readonly high: number;
  /** The most severe of them, with texts of the tenant. */
  readonly findings: readonly {
    readonly severity: string;
    readonly title: string;
    readonly asset: string;
    readonly project: string;
    /** What is wrong: it tells findings of one rule on one asset apart. */
    readonly message: string;
  }[];
  /** The only scan that the mail is about; null: several, or the findings have changed since. */
  readonly scanId: string | null;
  readonly unsubscribeToken: string;
}

const HOW_OFTEN: Readonly<Record<NewFindings['digest'], string>> = {
  immediate: 'after each scan',
  daily: 'once a day',
  weekly: 'once a week',
};

/** To a member who subscribed to new critical and high findings of the tenant. */
export function newFindings(data: NewFindings): Notice {
  const { tenantName, digest, scans, critical, high, findings, scanId, unsubscribeToken } = data;
  return {
    template: 'digest',
    limit: null,
    isOfTenant: true,
    digestOf: data.userId,
    content: (web) => ({
      subject: `New or reopened in ${visible(tenantName)}: ${findingsBySeverity(critical, high)}`,
      paragraphs: [
        `${scans === 1 ? 'A scan' : `${scans} scans`} of your tenant ${quoted(visible(tenantName))} found ${findingsBySeverity(critical, high)} that ${critical + high === 1 ? 'is' : 'are'} new or reopened. Findings that were muted or resolved since are left out.`,
      ],
      items: [
        ...findings.map(
          ({ severity, title, asset, project, message }) =>
            `${severity.toUpperCase()}: ${visible(title)} (${visible(asset)}, project ${visible(project)}): ${visible(message)}`,
        ),
        ...(critical + high > findings.length
          ? [`and ${critical + high - findings.length} more`]
          : []),
      ],
      action: findingsLink(scanId, web),
      after: `You receive this mail because you asked for e-mails about new findings ${HOW_OFTEN[digest]}. You can change this in your account.`,
      unsubscribe: web.page('/unsubscribe', { token: unsubscribeToken }),
    }),
  };
}

/** For example `2 critical and 1 high finding`. */
function findingsBySeverity(critical: number, high: number): string {
  const counts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(high > 0 ? [`${high} high`] : []),
  ];
  const isOne = (high > 0 ? high : critical) === 1;
  return `${counts.join(' and ')} finding${isOne ? '' : 's'}`;
}

/**
 * The console can show the new findings of one scan. Findings of several scans have no filter of their own, so the link then
 * leads to all open ones, newest first.
 */
function findingsLink(scanId: string | null, web: WebAddress) {
  const link = `${web.page('/console/findings')}?severity=critical&severity=high`;
  return scanId === null
    ? { label: 'Show all open critical and high findings, newest first', link }
    : { label: 'Show these findings', link: `${link}&view=new&scan=${scanId}` };
}
