/**
 * The root of the project, for files that the server reads at run time: two folders up from this file and from the flat
 * bundle in `dist/server`.
 */
export const ROOT = new URL('../../', import.meta.url);
