// Generated from the contract by `npm run generate`. Do not edit.

/** A scan completed, for all of its projects or for some of them. */
export interface ScanCompletedEvent {
  type: 'scan.completed';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    scanId: string;
    /** Example: `full`. */
    profile: string;
    /** The schedule that launched the scan, or null. */
    scheduleId: string | null;
    /** RFC 3339, in UTC. */
    finishedAt: string;
    /** The scanned projects, at most 100. */
    projects: {
      /** Example: `shop-prod`. */
      name: string;
      status: 'completed' | 'failed' | 'cancelled';
      /** Why the scan of the project failed. */
      error: string | null;
    }[];
    /** Changes since the previous scans of the same projects. */
    findings: {
      new: number;
      reopened: number;
      resolved: number;
      unchanged: number;
    };
    /** `partial`: the scans of some projects failed. */
    status: 'completed' | 'partial';
  };
}

/** A scan failed for all of its projects. */
export interface ScanFailedEvent {
  type: 'scan.failed';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    scanId: string;
    /** Example: `full`. */
    profile: string;
    /** The schedule that launched the scan, or null. */
    scheduleId: string | null;
    /** RFC 3339, in UTC. */
    finishedAt: string;
    /** The scanned projects, at most 100. */
    projects: {
      /** Example: `shop-prod`. */
      name: string;
      status: 'completed' | 'failed' | 'cancelled';
      /** Why the scan of the project failed. */
      error: string | null;
    }[];
    /** Changes since the previous scans of the same projects. */
    findings: {
      new: number;
      reopened: number;
      resolved: number;
      unchanged: number;
    };
    status: 'failed';
  };
}

/**
 * A scan found findings in a project that are new, or that had been resolved and are open again. One event
 * for each scan and project.
 */
export interface FindingsOpenedEvent {
  type: 'findings.opened';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    scanId: string;
    /** Example: `shop-prod`. */
    project: string;
    /** Number of findings, listed or not. */
    total: number;
    bySeverity: {
      critical: number;
      high: number;
      medium: number;
      low: number;
      info: number;
    };
    /** True: more findings than `findings` lists. `GET /findings?scan=` lists all. */
    truncated: boolean;
    /** The first 100 at most, from the worst severity to the least. */
    findings: ({
      id: string;
      /** Example: `bucket-public`. */
      ruleId: string;
      severity: Severity;
      title: string;
      asset: {
        /** Example: `//storage.googleapis.com/shop-uploads`. */
        name: string;
        /** Example: `storage.googleapis.com/Bucket`. */
        type: string;
      };
      delta: 'new' | 'reopened';
      /** Shortened to 500 characters. */
      message: string;
    })[];
  };
}

/** The severity, from worst to least. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** A scan resolved findings of a project. One event for each scan and project. */
export interface FindingsResolvedEvent {
  type: 'findings.resolved';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    scanId: string;
    /** Example: `shop-prod`. */
    project: string;
    /** Number of findings, listed or not. */
    total: number;
    bySeverity: {
      critical: number;
      high: number;
      medium: number;
      low: number;
      info: number;
    };
    /** True: more findings than `findings` lists. `GET /findings?scan=` lists all. */
    truncated: boolean;
    /** The first 100 at most, from the worst severity to the least. */
    findings: ({
      id: string;
      /** Example: `bucket-public`. */
      ruleId: string;
      severity: Severity;
      title: string;
      asset: {
        /** Example: `//storage.googleapis.com/shop-uploads`. */
        name: string;
        /** Example: `storage.googleapis.com/Bucket`. */
        type: string;
      };
      reason: 'fixed' | 'asset_gone' | 'rule_retired';
    })[];
  };
}

/** The service disabled a schedule, because its owner can no longer launch scans. */
export interface ScheduleDisabledEvent {
  type: 'schedule.disabled';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    scheduleId: string;
    /** Example: `Production, every night`. */
    name: string;
    reason: 'CREATOR_REMOVED' | 'CREATOR_DISABLED' | 'CREATOR_NOT_PERMITTED';
  };
}

/** An inventory could not be pulled from the source of a project. */
export interface SourceFailedEvent {
  type: 'source.failed';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    /** Example: `shop-prod`. */
    project: string;
    pullId: string;
    /**
     * Why the pull failed. Shortened to 500 characters. Example: `The Cloud Asset API is disabled in project
     * shop-prod.`.
     */
    problem: string;
  };
}

/** A member of the tenant created an API key. */
export interface ApiKeyCreatedEvent {
  type: 'api_key.created';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    apiKeyId: string;
    /** Example: `nightly pipeline`. */
    name: string;
    /** The first characters of the key, enough to recognize it. Example: `cspm_8Fq2LmZx71Ba`. */
    prefix: string;
    user: {
      id: string;
      /** Example: `ada@example.com`. */
      email: string;
    };
    /** RFC 3339, in UTC. */
    expiresAt: string | null;
  };
}

/** The operator's master key was used on the tenant. */
export interface BreakGlassUsedEvent {
  type: 'break_glass.used';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    /** Example: `users.update`. */
    operation: string;
    /** The reason that the operator gave. */
    reason: string | null;
    /** Example: `198.51.100.7`. */
    ip: string;
  };
}

/**
 * Sign-ins of a member are refused for some minutes after too many failed ones. At most one event in 15
 * minutes for each member.
 */
export interface SignInLockedEvent {
  type: 'sign_in.locked';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    user: {
      id: string;
      /** Example: `ada@example.com`. */
      email: string;
    };
    /** The address of the last attempt. Example: `198.51.100.7`. */
    ip: string;
  };
}

/** Sent on request, to try out a receiver. Every webhook can get it. */
export interface WebhookTestEvent {
  type: 'webhook.test';
  /** When the event took place. RFC 3339, in UTC. */
  timestamp: string;
  data: {
    webhookId: string;
    /** Example: `This is a test.`. */
    message: string;
  };
}

/** An event of a webhook; `type` tells which. */
export type WebhookEvent =
  | ScanCompletedEvent
  | ScanFailedEvent
  | FindingsOpenedEvent
  | FindingsResolvedEvent
  | ScheduleDisabledEvent
  | SourceFailedEvent
  | ApiKeyCreatedEvent
  | BreakGlassUsedEvent
  | SignInLockedEvent
  | WebhookTestEvent;
