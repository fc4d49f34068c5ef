/*
 * The accounts that Google makes for a project, with the role of editor unless somebody took it from them.
 */

const COMPUTE = /^\d+-compute@developer\.gserviceaccount\.com$/i;
const APP_ENGINE = /^[^@]+@appspot\.gserviceaccount\.com$/i;

/** Whether this is Compute Engine's default account of a project: `<project number>-compute@…`. */
export function isComputeDefaultAccount(email: string): boolean {
  return COMPUTE.test(email);
}

/** Whether this is App Engine's default account of a project, which functions of the first generation run as. */
export function isAppEngineDefaultAccount(email: string): boolean {
  return APP_ENGINE.test(email);
}
