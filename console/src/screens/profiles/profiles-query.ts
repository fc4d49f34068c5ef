import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session.ts';

/** All profiles: the API returns them in one response. */
export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: () => api.profiles.list(),
});
