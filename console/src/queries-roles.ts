import { queryOptions } from '@tanstack/react-query';
import { api } from './session.ts';

/** The built-in roles, then those of the tenant. Several screens offer them. Needs `admin.users`. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await api.roles.list()).items,
});
