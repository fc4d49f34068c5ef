import { isAppEngineDefaultAccount, isComputeDefaultAccount } from './default-account.ts';

/*
 * Members of bindings: `user:`, `group:`, `serviceAccount:` and `domain:` precede an address or a domain, whose letter
 * case is ignored.
 */

const SERVICE_ACCOUNT = 'serviceAccount:';

/** The address of a service account; null for members of other kinds. */
export function serviceAccountOf(member: string): string | null {
  return member.startsWith(SERVICE_ACCOUNT) ? member.slice(SERVICE_ACCOUNT.length) : null;
}

const GOOGLES_OWN: readonly RegExp[] = [
  /@cloudservices\.gserviceaccount\.com$/i,
  /@gcp-sa-[^@]*\.iam\.gserviceaccount\.com$/i,
  // The agents of Storage Transfer Service, in a project of Google: `project-<project number>@…`.
  /@storage-transfer-service\.iam\.gserviceaccount\.com$/i,
  // Service agents of a project, a folder or an organization. The rule catalogue says `service-*@*`, which anyone can
  // choose for an account; the agents of Google have a number.
  /^service-(?:org-|folder-)?\d+@/i,
];

/**
 * Whether Google creates and manages a service account for a project: its service agents, and the default accounts of
 * Compute Engine and App Engine.
 */
export function isGoogleMadeAccount(email: string): boolean {
  return isDefaultAccount(email) || GOOGLES_OWN.some((pattern) => pattern.test(email));
}

/** Whether this is the default account that code on Compute Engine or App Engine uses without a specific account. */
export function isDefaultAccount(email: string): boolean {
  return isComputeDefaultAccount(email) || isAppEngineDefaultAccount(email);
}

/** Whether a user created this service account in a project: `name@project.iam.gserviceaccount.com`. */
export function isUserMadeAccount(email: string): boolean {
  return (
    email.includes('@') &&
    endsWith(email, '.iam.gserviceaccount.com') &&
    !isGoogleMadeAccount(email)
  );
}

/** Whether a member is a person, a group or a whole domain; service accounts do not count. */
export function isHuman(member: string): boolean {
  return member.startsWith('user:') || member.startsWith('group:') || member.startsWith('domain:');
}

/** Whether the address or domain of a human member is in this domain itself, not in a subdomain. */
export function isOfDomain(member: string, domain: string): boolean {
  if (!endsWith(member, domain)) return false;
  const before = member[member.length - domain.length - 1];
  return before === '@' || before === ':';
}

/** Ignores letter case, without allocating a string for each member of a policy. */
function endsWith(text: string, end: string): boolean {
  const offset = text.length - end.length;
  if (offset < 0) return false;
  for (let at = 0; at < end.length; at += 1) {
    if (small(text.charCodeAt(offset + at)) !== small(end.charCodeAt(at))) return false;
  }
  return true;
}

function small(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
