export const SERVER_PROGRAMS: { readonly entryPoints: Readonly<Record<string, string>> };
export function buildServer(out?: string): Promise<boolean>;
export function buildCommandLine(): Promise<void>;

/** Bundles the command line with all packages that it uses into a folder; returns the folders of these packages. */
export function bundleCommandLine(folder: string): Promise<string[]>;
