/** The data of each kind of mail. */
export interface MailData {
  'verify-email': { readonly token: string };
  'reset-password': { readonly token: string };
  invitation: {
    readonly token: string;
    readonly tenantName: string;
    /**
     * Whether the person still has to prove the address, because the account is new or was never confirmed. They set a
     * password; everyone else confirms the invitation and keeps theirs.
     */
    readonly newPerson: boolean;
  };
  /** Someone tried to register with the address of an existing account. */
  'account-exists': Readonly<Record<string, never>>;
  'password-changed': { readonly at: Date; readonly ip: string };
  /** To a person who accepted an invitation by setting a password. */
  'password-set': { readonly at: Date; readonly ip: string };
  'two-factor-changed': {
    readonly change: 'enabled' | 'disabled' | 'recovery-codes';
    readonly at: Date;
    readonly ip: string;
  };
  /** To a person whose account can be entered with a Google account from now on. */
  'google-linked': { readonly at: Date; readonly ip: string };
  /** To a person who signs in by an identity provider that they have not confirmed yet. */
  'confirm-sign-in': { readonly token: string; readonly at: Date; readonly ip: string };
  /** To the administrators of a tenant whose identity provider was changed. */
  'single-sign-on-changed': {
    readonly tenantName: string;
    readonly change: 'configured' | 'removed';
    /** The e-mail address of the person, or the name of the shared credential. */
    readonly by: string;
    readonly at: Date;
    readonly ip: string;
  };
  /** To the administrators of a tenant whose schedules lost the person that they act for. */
  'schedules-disabled': {
    readonly tenantName: string;
    readonly count: number;
    readonly reason: 'CREATOR_REMOVED' | 'CREATOR_DISABLED' | 'CREATOR_NOT_PERMITTED';
    readonly at: Date;
  };
  /** To the administrators of a tenant whose webhook the service disabled. */
  'webhook-disabled': {
    readonly tenantName: string;
    /** The host of its URL. */
    readonly host: string;
    readonly reason: 'GONE' | 'FAILING';
    readonly at: Date;
  };
  /** To a member who subscribed to new critical and high findings of the tenant. */
  digest: {
    /** The member, who may be removed before the mail is sent. */
    readonly userId: string;
    readonly tenantName: string;
    readonly digest: 'immediate' | 'daily' | 'weekly';
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
  };
  /** To the administrators of a tenant in which the master key was used. */
  'break-glass': {
    readonly tenantName: string;
    readonly reason: string | null;
    readonly ip: string;
    readonly at: Date;
  };
}

export type MailTemplate = keyof MailData;

/** A mail as application code describes it. */
export type Mail = {
  readonly [T in MailTemplate]: {
    readonly to: string;
    readonly template: T;
    readonly data: MailData[T];
  };
}[MailTemplate];

/** A mail ready for sending. */
export interface Message {
  /** The same for every attempt to send the mail, so receivers recognize a repetition. */
  readonly id: string;
  readonly template: MailTemplate;
  readonly to: string;
  /** The member who must still be allowed to get the mail when it is sent. */
  readonly memberId?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link that unsubscribes the recipient with a POST (RFC 8058). Absent: nobody can unsubscribe from this mail. */
  readonly unsubscribe?: string;
}
