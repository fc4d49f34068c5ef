import { api } from '../../session.ts';

/** The source of a project. The API answers 404 for a project without one. */
export const sourceQuery = (name: string) => ({
  queryKey: ['projects', 'source', name],
  queryFn: () => api.sources.get({ name }),
});
