import { z } from 'zod';

/**
 * What the administrators of a tenant have set, out of the JSON that is kept: defaults where nothing is, and where what is
 * kept does not fit any more, since a limit that was tightened must not lock a tenant out.
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
