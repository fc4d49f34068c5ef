import type { ComplianceReport, Severity, VerdictCount } from '@cspm/scanner';

/** A rule's verdicts, and the data that the undecided ones lacked. */
export interface ReportedRule extends VerdictCount {
  readonly missing: readonly string[];
}

export interface ReportedFinding {
  readonly ruleId: string;
  readonly title: string;
  readonly severity: Severity;
  readonly project: string;
  readonly asset: { readonly name: string };
  readonly subject: string;
  readonly message: string;
  readonly evidence: readonly { readonly path: string; readonly value: unknown }[];
  readonly remediation: string;
  readonly firstSeenAt: string;
  readonly muted: { readonly reason: string; readonly expiresAt: string } | null;
}

/** The first of a list of findings, most severe first, and how many there are in all. */
export interface ReportedList {
  /** Null if the list of the scan was deleted. */
  readonly total: number | null;
  read(): Promise<readonly ReportedFinding[]>;
}

export interface ReportedDay {
  readonly date: string;
  readonly open: Readonly<Record<Severity, number>>;
  readonly score: number | null;
}

/** What a report of a scan says, in every format. Text comes from tenants and owners of assets: nothing is escaped. */
export interface Report {
  /** The name of the tenant. */
  readonly tenant: string;
  readonly madeAt: string;
  readonly scan: {
    readonly id: string;
    readonly status: string;
    readonly profile: string;
    readonly createdAt: string;
    readonly finishedAt: string | null;
    readonly projects: readonly {
      readonly name: string;
      readonly status: string;
      readonly assets: number;
      readonly findings: number;
    }[];
    readonly totals: {
      readonly assets: number;
      readonly evaluations: number;
      readonly pass: number;
      readonly fail: number;
      readonly unknown: number;
      readonly bySeverity: Readonly<Record<Severity, number>>;
    };
    readonly delta: {
      readonly new: number;
      readonly resolved: number;
      readonly reopened: number;
      readonly unchanged: number;
    };
  };
  readonly compliance: ComplianceReport<ReportedRule>;
  readonly score: number | null;
  /** Oldest day first. */
  readonly trend: readonly ReportedDay[];
  /** Findings that are not muted. */
  readonly risks: ReportedList;
  readonly muted: ReportedList;
}

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
