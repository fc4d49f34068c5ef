/** What each kind of mail wants to know. */
export interface MailData {
  'verify-email': { readonly token: string };
  'reset-password': { readonly token: string };
  invitation: {
    readonly token: string;
    readonly tenantName: string;
    /**
     * Whether the person has yet to prove the address: nobody, or somebody who never confirmed it. They set a password;
     * everybody else confirms the invitation and keeps theirs.
     */
    readonly newPerson: boolean;
  };
  /** Somebody tried to register with the address of an account. */
  'account-exists': Readonly<Record<string, never>>;
  'password-changed': { readonly at: Date; readonly ip: string };
  'two-factor-changed': {
    readonly change: 'enabled' | 'disabled' | 'recovery-codes';
    readonly at: Date;
    readonly ip: string;
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

/** A mail as its sender thinks of it. */
export type Mail = {
  readonly [T in MailTemplate]: {
    readonly to: string;
    readonly template: T;
    readonly data: MailData[T];
  };
}[MailTemplate];

/** A mail as it goes out. */
export interface Message {
  /** Of the mail, however often it is sent: receivers recognise a repetition by it. */
  readonly id: string;
  readonly template: MailTemplate;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
