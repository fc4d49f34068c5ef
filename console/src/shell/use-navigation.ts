import { useCan } from '../queries.ts';
import { NAVIGATION, type NavigationGroup } from './navigation.ts';

/** The navigation without what the person may not read. */
export function useNavigation(): readonly NavigationGroup[] {
  const can = useCan();
  return NAVIGATION.map(({ title, items }) => ({
    title,
    items: items.filter(({ permission }) => permission === undefined || can(permission)),
  })).filter(({ items }) => items.length > 0);
}
