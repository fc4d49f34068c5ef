/** The exit codes that pipelines rely on. */
export const EXIT = {
  ok: 0,
  /** The scan found something at or above `--fail-on`. */
  findings: 1,
  /**
   * The command line, or a file that it names, is invalid, or the service does not have what it names. Or the file of
   * `--output` cannot be written.
   */
  usage: 2,
  /**
   * The scan did not start or did not complete: preflight blocked it, a project failed, or it was cancelled, also by
   * `--timeout`. Or it evaluated another inventory than that of `--inventory`. Or a pull failed, or its inventory is or would
   * be partial.
   */
  incomplete: 3,
  /** The service refused the credential or a request, or is not reachable. Or standard output cannot be written. */
  service: 4,
  /** An error that cspm does not expect. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
