/* The accounts that Google creates for a project; they have the editor role unless an administrator removed it. */

const COMPUTE = /^\d+-compute@developer\.gserviceaccount\.com$/i;
const APP_ENGINE = /^[^@]+@appspot\.gserviceaccount\.com$/i;

/** Whether this is Compute Engine's default account of a project: `<project number>-compute@…`. */
export function isComputeDefaultAccount(email: string): boolean {
  return COMPUTE.test(email);
}

/** Whether this is App Engine's default account of a project, which first-generation functions use. */
export function isAppEngineDefaultAccount(email: string): boolean {
  return APP_ENGINE.test(email);
}
