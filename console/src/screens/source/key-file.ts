/** The part of a key file that is sent. Nothing else of the file leaves the browser. */
export interface ServiceAccountKey {
  readonly type: 'service_account';
  readonly client_email: string;
  readonly private_key: string;
}

/** Key files of Google have less than 3 kB. */
const MAX_BYTES = 32_768;

/** Reads the key file of a service account. @throws {KeyFileError} for any other file */
export async function readKeyFile(file: File): Promise<ServiceAccountKey> {
  if (file.size > MAX_BYTES) throw new KeyFileError('The file is too large for a key file.');
  const content = parse(await file.text());
  const { type, client_email, private_key } = content;
  if (type !== 'service_account') {
    throw new KeyFileError(
      type === 'external_account'
        ? 'Files of workload identity federation are not accepted. Use impersonation, or the key of a service account.'
        : 'This is not the key file of a service account: its type is not service_account.',
    );
  }
  if (typeof client_email !== 'string' || typeof private_key !== 'string') {
    throw new KeyFileError('The key file lacks client_email or private_key.');
  }
  return { type, client_email, private_key };
}

/** What is wrong with a file, for the person who chose it. */
export class KeyFileError extends Error {}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null) return { ...content };
  } catch {
    // The text is not repeated in a message: it may hold a key.
  }
  throw new KeyFileError('The file is not a JSON object.');
}
