import { parentPort } from 'node:worker_threads';
import { UnfitSettings } from './certificate.ts';
import { verifyResponse } from './protocol.ts';
import { readProviderMetadata } from './provider-metadata.ts';
import { readResponse } from './response.ts';
import type { XmlAnswer, XmlTask } from './xml-tasks.ts';

// The XML thread: parses and verifies XML from outside, one document at a time. It may be terminated at any moment.

parentPort?.on('message', async (task: XmlTask) => parentPort?.postMessage(await answer(task)));
parentPort?.postMessage('ready');

async function answer(task: XmlTask): Promise<XmlAnswer> {
  return task.kind === 'response' ? identityIn(task) : providerIn(task);
}

async function identityIn(task: Extract<XmlTask, { kind: 'response' }>): Promise<XmlAnswer> {
  const response = await readResponse(task.xml).catch(() => null);
  // The request was looked up by the root element of the streaming pass; the parsed tree must agree.
  if (response?.requestId !== task.requestId) return { kind: 'refused', reason: 'response' };
  const clock = { now: () => new Date(task.nowMs) };
  const identity = await verifyResponse(response, task.connection, task.provider, clock).catch(
    () => null,
  );
  if (identity === null) return { kind: 'refused', reason: 'assertion' };
  return { kind: 'identity', identity };
}

async function providerIn(task: Extract<XmlTask, { kind: 'metadata' }>): Promise<XmlAnswer> {
  try {
    const provider = await readProviderMetadata(task.xml, new Date(task.nowMs));
    return { kind: 'provider', provider };
  } catch (error) {
    if (!(error instanceof UnfitSettings)) throw error;
    return { kind: 'unfit', member: error.member, message: error.message };
  }
}
