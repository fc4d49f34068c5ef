import { BUILT_IN_ROLES } from '@cspm/contract';
import { secretsMatch } from '../../../platform/crypto/secret-match.ts';
import type { GlobalKeyPrincipal } from '../../../platform/principal.ts';
import type { TenantDirectory } from '../../tenants/index.ts';

/** The legacy API key, which belongs to no user. */
export interface GlobalKeyConfig {
  readonly key: string;
  /** The only tenant the key has access to. */
  readonly tenantId: string;
}

interface Dependencies {
  /** Null when no global key is configured. */
  readonly config: GlobalKeyConfig | null;
  readonly production: boolean;
  readonly directory: TenantDirectory;
}

/** Authenticates requests that present the global API key. */
export class GlobalKey {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @returns null when the key does not match or its tenant does not exist. */
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
