import type { JsonValue } from '../json.ts';
import { looksLikeSecret } from '../secret.ts';

/** Environment variables are written DB_PASSWORD, keys of metadata db-password: both are names like these. */
const NAME = /password|passwd|secret|token|api[_-]?key|private[_-]?key/i;

/** The resource name of a secret or of a version of one, bare, as a full resource name, or after a scheme. */
const RESOURCE_NAME =
  /^(?:[a-z][\w+.-]*:(?:\/\/)?)?(?:\/{0,2}secretmanager\.googleapis\.com\/)?(?:v1\/)?projects\/[^/\s]+\/(?:locations\/[^/\s]+\/)?secrets\/[\w-]+(?:\/versions\/[\w-]+)?(?::access)?$/i;

/** What libraries put in its place: `sm://name` and `sm@name` of Spring, in `${}` or not, and their like. */
const SHORTHAND =
  /^(?:\$\{)?(?:sm|gsm|gcp-?sm|(?:ref\+)?gcpsecrets?|(?:gcp-?)?secret-?manager)(?::\/\/|@)\S+$/i;

/**
 * Whether a setting holds a secret in the clear: it is called one and has a literal value, or its value is one by its
 * looks, whatever it is called. A reference to Secret Manager is none, and neither is an empty value.
 *
 * @param value of an environment variable or of a metadata item; what is no text, such as `{ secretKeyRef }`, is no
 *   literal
 */
export function embedsSecret(name: string, value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return NAME.test(name);
  if (typeof value !== 'string') return false;
  return (NAME.test(name) && isLiteral(value.trim())) || looksLikeSecret(value);
}

function isLiteral(value: string): boolean {
  return value !== '' && !RESOURCE_NAME.test(value) && !SHORTHAND.test(value);
}
