import { PROFILE_NAMES, resolveProfile } from '@cspm/scanner';
import { wholeList } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { ProblemError } from '../pipeline/problems.ts';

const later = async (): Promise<never> => {
  throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
};

export const profiles: HandlersOf<'profiles'> = {
  async list() {
    return { status: 200, body: wholeList(PROFILES) };
  },
  create: later,
  update: later,
  delete: later,
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
      definition: null,
    },
  ];
});
