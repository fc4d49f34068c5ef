import * as sdk from '@cspm/sdk';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import { exercise } from '../../exercise.mjs';

export const dynamic = 'force-dynamic';

/** The exercise of all consumers, on the server. */
export async function GET(): Promise<Response> {
  return Response.json(
    await exercise({ ...sdk, ...session, ...upload, ...webhooks }, process.env.CSPM_URL ?? ''),
  );
}
