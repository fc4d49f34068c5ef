export const SERVER_PROGRAMS: { readonly entryPoints: Readonly<Record<string, string>> };
export function buildCommandLine(): Promise<void>;
