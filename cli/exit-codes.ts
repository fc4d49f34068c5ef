/** What a pipeline learns from how a command ends. */
export const EXIT = {
  ok: 0,
  /** The scan has found what `--fail-on` does not let pass. */
  findings: 1,
  /** The command line, or a file that it names, is not what it should be. */
  usage: 2,
  /** The scan could not start, or did not reach its end: preflight blocked it, a project failed, it was cancelled. */
  incomplete: 3,
  /** The service refused the credential or a request, or was out of reach. */
  service: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
