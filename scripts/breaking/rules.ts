/** `breaking`: callers of before fail or are misled. `warning`: some may. `info`: nobody is, but it is worth telling. */
export type Level = 'breaking' | 'warning' | 'info';

interface Rule {
  readonly level: Level;
  /** What it is about, for the documentation. */
  readonly meaning: string;
}

function breaking(meaning: string): Rule {
  return { level: 'breaking', meaning };
}

function warning(meaning: string): Rule {
  return { level: 'warning', meaning };
}

function info(meaning: string): Rule {
  return { level: 'info', meaning };
}

/** Every kind of change that is told, and whether it breaks callers. */
export const RULES = {
  'server-removed': breaking('A base address, such as `/api/v1`, is gone.'),
  'server-added': info('There is a further base address.'),
  'credential-scheme-changed': breaking('A credential is sent otherwise than before, or no more.'),

  'operation-removed': breaking('The operation is gone before the day that its sunset named.'),
  'operation-retired': info('The operation is gone, as its sunset said.'),
  'operation-added': info('There is a new operation.'),
  'operation-renamed': warning('Another `operationId`: generated clients name methods by it.'),
  'path-parameter-renamed': warning('Addresses stay; generated clients name arguments by it.'),
  'operation-deprecated': info('It is to go away.'),
  'operation-reinstated': info('It is not to go away any more.'),
  'sunset-advanced': breaking('It may be gone earlier than was said.'),

  'credential-required': breaking('A public operation wants a credential.'),
  'credential-lifted': info('The operation is public now.'),
  'credential-kind-dropped': breaking('A kind of credential is not taken any more.'),
  'credential-kind-added': info('A further kind of credential is taken.'),
  'permission-required': breaking('A permission is wanted that was not.'),
  'permission-lifted': info('No permission is wanted any more.'),
  'mfa-required': breaking('A second factor is wanted.'),
  'mfa-lifted': info('No second factor is wanted any more.'),
  'feature-required': breaking('A licensed feature is wanted that was not.'),
  'feature-lifted': info('No licensed feature is wanted any more.'),
  'rate-limit-tightened': breaking('Fewer requests are let through.'),
  'rate-limit-loosened': info('More requests are let through.'),
  'idempotency-dropped': breaking('Repeating a request is less safe than it was.'),
  'idempotency-gained': info('Repeating a request is safer than it was.'),
  'idempotency-life-shortened': breaking('An Idempotency-Key is remembered for a shorter time.'),
  'idempotency-life-lengthened': info('An Idempotency-Key is remembered for longer.'),
  'audit-action-changed': warning('The audit trail calls it otherwise: filters miss it.'),
  'problem-added': warning('It is refused for a reason that callers do not know yet.'),
  'problem-removed': info('A reason to refuse is gone.'),

  'request-parameter-removed': breaking('What it says is refused or has no effect.'),
  'request-parameter-added': info('A parameter that may be left out.'),
  'request-parameter-required': breaking('A parameter has to be sent that could be left out.'),
  'request-parameter-optional': info('A parameter may be left out.'),
  'request-serialization-changed': breaking('Lists or objects are written otherwise in addresses.'),
  'request-body-removed': breaking('No body is taken any more.'),
  'request-body-added': info('A body may be sent.'),
  'request-body-required': breaking('A body has to be sent.'),
  'request-body-optional': info('The body may be left out.'),
  'request-media-type-removed': breaking('A content type is not taken any more.'),
  'request-media-type-added': info('A further content type is taken.'),
  'request-member-removed': breaking('Unknown members are refused, so the one of before is.'),
  'request-member-added': info('A member that may be left out.'),
  'request-member-required': breaking('A member has to be sent that could be left out.'),
  'request-member-optional': info('A member may be left out.'),
  'request-members-closed': breaking('Members beside those named are not taken any more.'),
  'request-members-opened': info('Members beside those named are taken.'),
  'request-type-narrowed': breaking('A type of value is not taken any more.'),
  'request-type-widened': info('A further type of value is taken.'),
  'request-null-refused': breaking('Null is not taken any more.'),
  'request-null-taken': info('Null is taken.'),
  'request-enum-narrowed': breaking('A word is not taken any more.'),
  'request-enum-widened': info('A further word is taken.'),
  'request-bound-narrowed': breaking('A length, number or size is not taken any more.'),
  'request-bound-widened': info('More lengths, numbers or sizes are taken.'),
  'request-pattern-changed': breaking('Texts have to fit another pattern.'),
  'request-pattern-lifted': info('Texts need not fit a pattern any more.'),
  'request-format-changed': breaking('Values have to have another format.'),
  'request-format-lifted': info('Values need not have a format any more.'),
  'request-alternative-removed': breaking('A form of the value is not taken any more.'),
  'request-alternative-added': info('A further form of the value is taken.'),
  'request-default-changed': warning('Leaving it out means something else.'),

  'response-status-removed': breaking('Success is told by another status.'),
  'response-status-added': warning('There is a further status of success.'),
  'response-header-removed': breaking('A header is not sent any more.'),
  'response-header-added': info('A further header is sent.'),
  'response-media-type-removed': breaking('A content type is not answered with any more.'),
  'response-media-type-added': info('A further content type is answered with.'),
  'response-member-removed': breaking('A member is gone.'),
  'response-member-added': info('A further member: readers ignore what they do not know.'),
  'response-member-optional': breaking('A member may be missing that was always there.'),
  'response-member-guaranteed': info('A member is always there that could be missing.'),
  'response-type-changed': breaking('A value is of a type that readers do not expect.'),
  'response-type-narrowed': info('A value is of fewer types.'),
  'response-nullable': breaking('A value may be null that never was.'),
  'response-not-nullable': info('A value is never null that could be.'),
  'response-enum-widened': warning('There are words that readers do not know yet.'),
  'response-enum-narrowed': info('A word does not come any more.'),
  'response-bound-widened': warning(
    'Values may be longer, larger or smaller than readers made room for.',
  ),
  'response-bound-narrowed': info('Values stay within tighter bounds.'),
  'response-pattern-changed': warning('Texts look otherwise than readers may have relied on.'),
  'response-format-changed': breaking('Values have another format, or none.'),
  'response-alternative-added': breaking('A value comes in a form that readers do not know.'),
  'response-alternative-removed': info('A form of the value does not come any more.'),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;
