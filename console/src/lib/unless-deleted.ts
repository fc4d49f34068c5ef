import { NotFoundError } from '@cspm/sdk';

/** Reads what a form changes. Null: somebody else has deleted it. */
export async function unlessDeleted<Item>(call: PromiseLike<Item>): Promise<Item | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
