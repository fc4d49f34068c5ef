import { PROFILE_NAMES, resolveProfile } from '@cspm/scanner';
import { wholeList } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';

export const profiles: HandlersOf<'profiles'> = {
  async list() {
    return { status: 200, body: wholeList(PROFILES) };
  },
};

/** An alias is listed under its own name, with the rules of what it stands for. */
const PROFILES = PROFILE_NAMES.flatMap((name) => {
  const profile = resolveProfile(name);
  if (profile === undefined) return [];
  return [
    {
      name,
      title: profile.title,
      description: profile.description,
      digest: profile.digest,
      ruleCount: profile.rules.length,
      rules: profile.rules.map((rule) => rule.id),
    },
  ];
});
