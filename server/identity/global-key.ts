import { BUILT_IN_ROLES } from '@cspm/contract';
import type { GlobalKeyPrincipal } from './principal.ts';
import { secretsMatch } from './secret-match.ts';
import type { TenantDirectory } from './tenant-directory.ts';

/** The one key of old that stands for nobody. */
export interface GlobalKeyConfig {
  readonly key: string;
  /** The only tenant that it opens. */
  readonly tenantId: string;
}

/** Since when it is discouraged, as a structured date (RFC 9745 §2.1): 1 January 2026. */
export const GLOBAL_KEY_DEPRECATION = '@1767225600';

interface Dependencies {
  /** Null: there is none. */
  readonly config: GlobalKeyConfig | null;
  readonly production: boolean;
  readonly directory: TenantDirectory;
}

/** Recognises the global API key. */
export class GlobalKey {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @returns null when the key is another one, or its tenant is not there. */
  async identify(presented: string): Promise<GlobalKeyPrincipal | null> {
    const { config, production, directory } = this.#deps;
    if (config === null || !secretsMatch(presented, config.key)) return null;
    const tenant = await directory.tenant(config.tenantId);
    if (tenant === null) return null;
    const role = production ? 'legacy' : 'analyst';
    return {
      kind: 'global_api_key',
      user: null,
      tenant,
      homeTenantId: tenant.id,
      role,
      permissions: new Set(BUILT_IN_ROLES[role]),
      mfa: false,
      expiresAt: null,
    };
  }
}
