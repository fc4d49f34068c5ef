import type { CustomRule } from '@cspm/sdk';
import { queryOptions } from '@tanstack/react-query';
import { RULES_KEY } from '../../parts/rule-catalogue.ts';
import { queryClient } from '../../queries.ts';
import { api } from '../../session.ts';

/** The number of custom rules that the API accepts in a tenant. It is also its largest page. */
export const CUSTOM_RULES_MAX = 100;

/** All custom rules of the tenant. The API has no request for a single one. */
export const customRulesQuery = queryOptions({
  queryKey: ['custom-rules'],
  queryFn: async () => {
    const rules: CustomRule[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.customRules.list({ limit: CUSTOM_RULES_MAX, cursor });
      rules.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return rules;
  },
});

/** After a change: the catalogue of rules and the rules that profiles select include custom rules. */
export async function reloadRules(): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['profiles'] });
  void queryClient.invalidateQueries({ queryKey: RULES_KEY });
  await queryClient.invalidateQueries({ queryKey: customRulesQuery.queryKey });
}
