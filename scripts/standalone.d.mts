import type { BuildOptions } from 'esbuild';

export const STANDALONE_FILES: readonly string[];
export function standaloneBundle(root: string, out: string): BuildOptions;
