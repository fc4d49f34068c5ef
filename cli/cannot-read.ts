import { resolve } from 'node:path';
import { InputError } from './usage-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/**
 * The error for a file that cannot be read, with its absolute path, because a relative one does not tell where it was
 * searched.
 * @param option what the file was given for
 */
export function cannotRead(option: string, file: string, error: unknown): InputError {
  const path = resolve(file);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') {
    return new InputError(`${option}: ${path} is a directory. Name a file in it.`);
  }
  return new InputError(`${option}: cannot read ${path}: ${REASONS[code] ?? message}.`);
}
