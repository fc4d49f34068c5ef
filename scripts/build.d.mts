export const SERVER_PROGRAMS: { readonly entryPoints: Readonly<Record<string, string>> };
export function buildServer(out?: string): Promise<boolean>;
export function buildCommandLine(): Promise<void>;
