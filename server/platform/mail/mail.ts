import type { ThrottleName } from '../throttle.ts';
import type { WebAddress } from '../web-address.ts';

/** The content of a mail: a subject, paragraphs, and at most one action. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A list after the paragraphs. */
  readonly items?: readonly string[];
  readonly action?: { readonly label: string; readonly link: string };
  /** Small print after the action. */
  readonly after?: string;
  /** A link at the end that unsubscribes the recipient. */
  readonly unsubscribe?: string;
}

/** A mail without its recipient. The module that sends it defines it. */
export interface Notice {
  /** Its kind, in logs and traces. */
  readonly template: string;
  /**
   * The limit of mails to one mailbox that it counts against. Those that anonymous requests cause also count against `mail`,
   * the limit of all of them. The others are counted apart, so that nobody can suppress an invitation by requesting links
   * for a mailbox. Confirmations are sent to accounts only: if they used up the limit of invitations, a refused invitation
   * would reveal the account.
   *
   * Null for mails that only the owner's own actions cause, or that the owner has asked for: someone who requests three
   * links for a mailbox must not be able to suppress the notice that a password was changed or the master key used.
   */
  readonly limit: Extract<ThrottleName, `mail-${string}`> | null;
  /** Whether it is about the tenant of the connection. The others are about an account, which may have other tenants. */
  readonly isOfTenant: boolean;
  /**
   * Whether it is dropped if the recipient is no longer an administrator when it is sent. Not set for alarms: whoever
   * enters a tenant could otherwise suppress an alarm by removing the person to whom it goes.
   */
  readonly isForAdmins?: true;
  /** The member whom a digest is for, who may be removed before it is sent. Digests wait in a queue of their own. */
  readonly digestOf?: string;
  /**
   * Has no text that others chose, except that of a tenant to which the recipient belongs or is invited, so that our
   * mails cannot carry other people's messages.
   */
  readonly content: (web: WebAddress) => MailContent;
}

/** A mail as application code describes it. */
export interface Mail extends Notice {
  readonly to: string;
}

/** A mail ready for sending. */
export interface Message {
  /** The same for every attempt to send the mail, so receivers recognize a repetition. */
  readonly id: string;
  readonly template: string;
  readonly to: string;
  /** The member who must still be allowed to get the mail when it is sent. */
  readonly memberId?: string;
  /** The recipient must still be an administrator of the tenant when it is sent. */
  readonly isForAdmins?: true;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The link that unsubscribes the recipient with a POST (RFC 8058). Absent: nobody can unsubscribe from this mail. */
  readonly unsubscribe?: string;
}
