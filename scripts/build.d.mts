export const SERVER_PROGRAMS: { readonly entryPoints: Readonly<Record<string, string>> };
export function buildServer(out?: string): Promise<boolean>;
export function buildCommandLine(): Promise<void>;

/** Bundles the command line with all packages that it uses; returns their folders. */
export function bundleCommandLine(outfile: string): Promise<string[]>;
