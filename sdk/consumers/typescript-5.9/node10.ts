// `moduleResolution: node10`, the default beside `module: commonjs`, reads `typesVersions` instead of `exports`.
import { createClient } from '@cspm/sdk';
import { fileStore, storedSession } from '@cspm/sdk/session';
import { uploadInventory } from '@cspm/sdk/upload';
import { verifyWebhook } from '@cspm/sdk/webhooks';

export async function upload(path: string): Promise<number> {
  const session = await storedSession(fileStore('session.json'));
  const cspm = createClient({ baseUrl: 'http://127.0.0.1:3000', session });
  return (await uploadInventory(cspm, { name: 'shop-prod', inventory: { path } })).assets;
}

export async function typeOf(body: string, headers: Headers, secret: string): Promise<string> {
  return (await verifyWebhook(body, headers, secret)).type;
}
