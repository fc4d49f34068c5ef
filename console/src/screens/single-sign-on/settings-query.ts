import { NotFoundError, type SamlSettings } from '@cspm/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session.ts';

/** The SAML settings of the tenant; null: it has no identity provider. */
export const settingsQuery = queryOptions({ queryKey: ['saml'], queryFn: loadSettings });

export async function loadSettings(): Promise<SamlSettings | null> {
  try {
    return await api.saml.getSettings();
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
