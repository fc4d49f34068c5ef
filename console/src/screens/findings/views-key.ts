/** The key of the saved views in the query cache. */
export const VIEWS = ['views'];
