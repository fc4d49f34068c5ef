import type { Rule } from '@cspm/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCan } from '../queries.ts';
import { api } from '../session.ts';

/** Rules change only with an upgrade of the server or by an edit of a custom rule. */
const FRESH_MS = 10 * 60_000;
/** The largest page of the API. It holds the built-in rules, so one request usually suffices. */
const PAGE = 500;

export const RULES_KEY = ['rules'];

/** All built-in rules and the enabled custom rules. */
export const ruleCatalogueQuery = queryOptions({
  queryKey: [...RULES_KEY, 'catalogue'],
  queryFn: async () => {
    const rules: Rule[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.rules.list({ limit: PAGE, cursor });
      rules.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return rules;
  },
  staleTime: FRESH_MS,
});

/** The rules by id. Empty until they are loaded, and for people who may not read rules. */
export function useRules(): ReadonlyMap<string, Rule> {
  const can = useCan();
  const query = { ...ruleCatalogueQuery, enabled: can('rules.read'), select: byId };
  return useQuery(query).data ?? NONE;
}

const NONE: ReadonlyMap<string, Rule> = new Map();

function byId(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}
