/**
 * `breaking`: existing callers fail or are misled. `warning`: some may. `info`: none are, but the change is worth
 * knowing.
 */
export type Level = 'breaking' | 'warning' | 'info';

/** The headings of the documentation and of the report. */
export const LEVEL_TITLES = {
  breaking: 'Breaking changes',
  warning: 'Potentially breaking changes',
  info: 'Compatible changes',
} as const satisfies Record<Level, string>;

interface Rule {
  readonly level: Level;
  /** The subject, for the documentation. */
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

/** Every kind of change, and whether it breaks callers. */
export const RULES = {
  'server-removed': breaking('A base URL, such as `/api/v1`, is removed.'),
  'server-added': info('A base URL is added.'),
  'credential-scheme-changed': breaking('A credential is sent differently, or is removed.'),

  'operation-removed': breaking('The operation is removed before its announced sunset date.'),
  'operation-retired': info('The operation is removed after its announced sunset date.'),
  'operation-added': info('An operation is added.'),
  'operation-renamed': warning(
    'The `operationId` changes: generated clients use it as the method name.',
  ),
  'path-parameter-renamed': warning(
    'A path parameter is renamed: URLs stay the same, but generated clients use it as the argument name.',
  ),
  'operation-deprecated': info('The operation is deprecated.'),
  'operation-reinstated': info('The operation is no longer deprecated.'),
  'sunset-advanced': breaking('The sunset date is moved to an earlier day.'),

  'credential-required': breaking('A public operation requires a credential.'),
  'credential-lifted': info('The operation becomes public.'),
  'credential-kind-dropped': breaking('A kind of credential is no longer accepted.'),
  'credential-kind-added': info('A further kind of credential is accepted.'),
  'permission-required': breaking('A further permission is required.'),
  'permission-lifted': info('A permission is no longer required.'),
  'mfa-required': breaking('A second factor is required.'),
  'mfa-lifted': info('A second factor is no longer required.'),
  'feature-required': breaking('A licensed feature is required.'),
  'feature-lifted': info('A licensed feature is no longer required.'),
  'rate-limit-tightened': breaking('A rate limit is lowered.'),
  'rate-limit-loosened': info('A rate limit is raised.'),
  'idempotency-dropped': breaking('Repeating a request is less safe.'),
  'idempotency-gained': info('Repeating a request is safer.'),
  'idempotency-life-shortened': breaking('Idempotency keys are stored for a shorter time.'),
  'idempotency-life-lengthened': info('Idempotency keys are stored for a longer time.'),
  'audit-action-changed': warning('The audit action is renamed: filters on it no longer match.'),
  'problem-added': warning('The operation can return a new problem code.'),
  'problem-removed': info('A problem code is removed.'),

  'request-parameter-removed': breaking(
    'A parameter is removed: sending it is refused or has no effect.',
  ),
  'request-parameter-added': info('An optional parameter is added.'),
  'request-parameter-required': breaking('A parameter becomes required.'),
  'request-parameter-optional': info('A parameter becomes optional.'),
  'request-serialization-changed': breaking('Lists or objects are serialized differently in URLs.'),
  'request-body-removed': breaking('A body is no longer accepted.'),
  'request-body-added': info('A body is accepted.'),
  'request-body-required': breaking('A body becomes required.'),
  'request-body-optional': info('The body becomes optional.'),
  'request-media-type-removed': breaking('A content type is no longer accepted.'),
  'request-media-type-added': info('A further content type is accepted.'),
  'request-member-removed': breaking('A member is removed, and unknown members are refused.'),
  'request-member-added': info('An optional member is added.'),
  'request-member-required': breaking('A member becomes required.'),
  'request-member-optional': info('A member becomes optional.'),
  'request-members-closed': breaking('Additional members are no longer accepted.'),
  'request-members-opened': info('Additional members are accepted.'),
  'request-type-narrowed': breaking('A type is no longer accepted.'),
  'request-type-widened': info('A further type is accepted.'),
  'request-null-refused': breaking('Null is no longer accepted.'),
  'request-null-taken': info('Null is accepted.'),
  'request-enum-narrowed': breaking('An enum value is no longer accepted.'),
  'request-enum-widened': info('A further enum value is accepted.'),
  'request-bound-narrowed': breaking('A range of lengths, numbers or sizes is narrowed.'),
  'request-bound-widened': info('A range of lengths, numbers or sizes is widened.'),
  'request-pattern-changed': breaking('A pattern is added or changed.'),
  'request-pattern-lifted': info('A pattern is removed.'),
  'request-format-changed': breaking('A format is added or changed.'),
  'request-format-lifted': info('A format is removed.'),
  'request-alternative-removed': breaking(
    'An alternative form of the value is no longer accepted.',
  ),
  'request-alternative-added': info('A further form of the value is accepted.'),
  'request-default-changed': warning('The default value changes.'),

  'response-status-removed': breaking('The success status changes.'),
  'response-status-added': warning('A success status is added.'),
  'response-header-removed': breaking('A response header is removed.'),
  'response-header-added': info('A response header is added.'),
  'response-media-type-removed': breaking('A response content type is removed.'),
  'response-media-type-added': info('A response content type is added.'),
  'response-media-type-described': info(
    'A JSON content type that was documented as text is documented as the parsed value.',
  ),
  'response-member-removed': breaking('A member is removed.'),
  'response-member-added': info('A member is added: readers ignore unknown members.'),
  'response-member-optional': breaking('A member that was always present becomes optional.'),
  'response-member-guaranteed': info('An optional member is always present.'),
  'response-type-changed': breaking('A value can have a new type.'),
  'response-type-narrowed': info('A value has fewer types.'),
  'response-nullable': breaking('A value can be null.'),
  'response-not-nullable': info('A value can no longer be null.'),
  'response-enum-widened': warning('An enum value is added that readers do not know.'),
  'response-enum-narrowed': info('An enum value is no longer returned.'),
  'response-bound-widened': warning('A range of lengths, numbers or sizes is widened.'),
  'response-bound-narrowed': info('A range of lengths, numbers or sizes is narrowed.'),
  'response-pattern-changed': warning('A pattern changes that readers may rely on.'),
  'response-format-changed': breaking('A format changes or is removed.'),
  'response-alternative-added': breaking('A value can have a form that readers do not know.'),
  'response-alternative-removed': info('A form of the value is no longer returned.'),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;
