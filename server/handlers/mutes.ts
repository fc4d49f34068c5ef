import type { HandlersOf } from '../pipeline/handler.ts';
import { ProblemError } from '../pipeline/problems.ts';

const later = async (): Promise<never> => {
  throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
};

export const mutes: HandlersOf<'mutes'> = { list: later, create: later, delete: later };
