import { execFileSync } from 'node:child_process';

/** Debian installs daemons in a folder that is in root's PATH only. */
export const DEBIAN_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** Whether a program is installed. @param versionOption makes it print its version. */
export function isInstalled(program: string, versionOption = '--version'): boolean {
  try {
    execFileSync(program, [versionOption], { stdio: 'ignore', env: { PATH: DEBIAN_PATH } });
    return true;
  } catch {
    return false;
  }
}
