import type { JsonValue } from '../json.ts';
import { looksLikeSecret } from '../secret.ts';

/** Environment variables are written DB_PASSWORD, metadata keys db-password; this matches both. */
const NAME = /password|passwd|secret|token|api[_-]?key|private[_-]?key/i;

/** The resource name of a secret or of a version of one, bare, as a full resource name, or after a scheme. */
const RESOURCE_NAME =
  /^(?:[a-z][\w+.-]*:(?:\/\/)?)?(?:\/{0,2}secretmanager\.googleapis\.com\/)?(?:v1\/)?projects\/[^/\s]+\/(?:locations\/[^/\s]+\/)?secrets\/[\w-]+(?:\/versions\/[\w-]+)?(?::access)?$/i;

/** References to secrets in libraries: `sm://name` and `sm@name` of Spring, with or without `${}`, and similar ones. */
const SHORTHAND =
  /^(?:\$\{)?(?:sm|gsm|gcp-?sm|(?:ref\+)?gcpsecrets?|(?:gcp-?)?secret-?manager)(?::\/\/|@)\S+$/i;

/**
 * Whether a setting contains a plaintext secret: its name indicates one and it has a literal value, or its value looks
 * like one, regardless of its name. A reference to Secret Manager and an empty value do not count.
 * @param value of an environment variable or of a metadata item; a value that is not a string, such as `{ secretKeyRef
 * }`, is not a literal
 */
export function embedsSecret(name: string, value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return NAME.test(name);
  if (typeof value !== 'string') return false;
  return (NAME.test(name) && isLiteral(value.trim())) || looksLikeSecret(value);
}

function isLiteral(value: string): boolean {
  return value !== '' && !RESOURCE_NAME.test(value) && !SHORTHAND.test(value);
}
