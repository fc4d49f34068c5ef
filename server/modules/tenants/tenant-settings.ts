import { z } from 'zod';

/**
 * A tenant's settings, parsed from stored JSON. Missing or invalid members get their defaults, because a tightened
 * limit must not lock a tenant out.
 */
const settings = z.object({
  inventoryMaxAgeHours: z.int().catch(24),
  muteDefaultDays: z.int().catch(90),
  allowedDomains: z.array(z.string()).catch([]),
});

export type TenantSettings = z.infer<typeof settings>;

export function settingsFrom(kept: unknown): TenantSettings {
  return settings.parse(kept ?? {});
}
