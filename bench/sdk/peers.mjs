// Other clients in the form of the case table (sdk/conformance/subject.ts): with their defaults, pointed at the
// loopback server by their own options. Missing features are excluded from their abilities, so they do not count.
import Anthropic from '@anthropic-ai/sdk';
import got from 'got';
import ky from 'ky';
import OpenAI from 'openai';
import createOpenApiClient from 'openapi-fetch';
import Stripe from 'stripe';

/** @typedef {import('../../sdk/conformance/subject.ts').Subject} Subject */

/** @type {Subject} */
const openai = {
  name: 'openai',
  routes: {
    read: { at: 'GET /models/m', answer: { body: { id: 'm', object: 'model' } } },
    remove: { at: 'DELETE /models/m', answer: { body: { id: 'm', deleted: true } } },
    create: { at: 'POST /chat/completions', answer: { body: { id: 'c', choices: [] } } },
  },
  abilities: new Set(['attempt-bound', 'signal']),
  attemptHeader: 'x-stainless-retry-count',
  list: { at: 'GET /files', pages: stainlessPages },
  stream: {
    at: 'POST /chat/completions',
    reply: (items, open) =>
      serverSentEvents([
        ...items.map((content) => data({ choices: [{ index: 0, delta: { content } }] })),
        ...(open ? [] : ['data: [DONE]\n\n']),
      ]),
  },
  open(setting) {
    const client = new OpenAI({
      apiKey: setting.credential,
      baseURL: setting.baseUrl,
      ...stainlessOptions(setting),
    });
    const completion = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
    const calls = {
      read: (given) => client.models.retrieve('m', given),
      remove: (given) => client.models.delete('m', given),
      create: (given, names) =>
        client.chat.completions.create({ ...completion, stop: names }, given),
    };
    return {
      ...stainlessClient(calls, () => client.files.list()),
      async *stream({ signal } = {}) {
        const streamed = { ...completion, stream: true };
        const chunks = await client.chat.completions.create(streamed, { signal });
        for await (const { choices } of chunks) yield choices[0].delta.content;
      },
    };
  },
  explain: ({ status, cause, requestID }) => ({ status, cause, correlationId: requestID }),
};

/** @type {Subject} */
const anthropic = {
  name: 'anthropic',
  routes: {
    read: { at: 'GET /v1/models/m', answer: { body: { id: 'm', type: 'model' } } },
    remove: { at: 'DELETE /v1/messages/batches/b', answer: { body: { id: 'b' } } },
    create: { at: 'POST /v1/messages', answer: { body: { id: 'msg', content: [] } } },
  },
  abilities: new Set(['attempt-bound', 'signal']),
  attemptHeader: 'x-stainless-retry-count',
  list: { at: 'GET /v1/models', pages: stainlessPages },
  stream: {
    at: 'POST /v1/messages',
    reply: (items, open) =>
      serverSentEvents([
        ...items.map((text) => messageEvent('content_block_delta', { delta: { text } })),
        ...(open ? [] : [messageEvent('message_stop', {})]),
      ]),
  },
  open(setting) {
    const client = new Anthropic({
      apiKey: setting.credential,
      baseURL: setting.baseUrl,
      ...stainlessOptions(setting),
    });
    const message = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] };
    const calls = {
      read: (given) => client.models.retrieve('m', {}, given),
      remove: (given) => client.messages.batches.delete('b', given),
      create: (given, names) =>
        client.messages.create({ ...message, stop_sequences: names }, given),
    };
    return {
      ...stainlessClient(calls, () => client.models.list()),
      async *stream({ signal } = {}) {
        const events = await client.messages.create({ ...message, stream: true }, { signal });
        for await (const { delta } of events) if (delta) yield delta.text;
      },
    };
  },
  explain: ({ status, cause, requestID }) => ({ status, cause, correlationId: requestID }),
};

/** @type {Subject} */
const stripe = {
  name: 'stripe',
  routes: {
    read: { at: 'GET /v1/customers/c', answer: { body: { id: 'c', object: 'customer' } } },
    remove: { at: 'DELETE /v1/customers/c', answer: { body: { id: 'c', deleted: true } } },
    create: { at: 'POST /v1/customers', answer: { body: { id: 'c', object: 'customer' } } },
  },
  abilities: new Set(['attempt-bound']),
  errorBody: (status) => ({ error: { type: 'api_error', message: `It is ${status}.` } }),
  list: {
    at: 'GET /v1/customers',
    pages: (names) =>
      names.map((page, at) => ({
        body: {
          object: 'list',
          url: '/v1/customers',
          data: page.map((id) => ({ id, object: 'customer' })),
          has_more: at + 1 < names.length,
        },
      })),
  },
  open({ baseUrl, credential, maxAttempts, attemptMs }) {
    const { hostname, port } = new URL(baseUrl);
    const client = new Stripe(credential, {
      host: hostname,
      port,
      protocol: 'http',
      ...(maxAttempts !== undefined && { maxNetworkRetries: maxAttempts - 1 }),
      ...(attemptMs !== undefined && { timeout: attemptMs }),
    });
    const calls = {
      // It cannot add headers to one call; it puts unknown options into the query.
      read: ({ headers = {} }) => client.customers.retrieve('c', { ...headers }),
      remove: () => client.customers.del('c'),
      create: ({ key, names = ['en'] }) =>
        client.customers.create(
          { preferred_locales: names },
          key === undefined ? {} : { idempotencyKey: key },
        ),
    };
    return {
      call: async (name, options = {}) => calls[name](options),
      async *list() {
        for await (const { id } of client.customers.list()) yield id;
      },
      firstPage: async () => (await client.customers.list()).data.map(({ id }) => id),
    };
  },
  explain: ({ statusCode, detail, requestId }) => ({
    status: statusCode,
    cause: detail,
    correlationId: requestId,
  }),
};

/** The operation for clients that know no service: one of ours, without a key. */
const PLAIN_ROUTES = {
  read: { at: 'GET /scans/1', answer: { body: { id: '1' } } },
  remove: { at: 'DELETE /projects/1', answer: { status: 204 } },
  command: { at: 'POST /auth/login', answer: { body: { accessToken: 'a' } } },
};

/** @type {Subject} */
const kyPeer = {
  name: 'ky',
  routes: PLAIN_ROUTES,
  abilities: new Set(['attempt-bound', 'deadline', 'signal']),
  open({ baseUrl, credential, maxAttempts, attemptMs, deadlineMs }) {
    const client = ky.create({
      headers: { 'x-api-key': credential },
      ...(maxAttempts !== undefined && { retry: maxAttempts - 1 }),
      ...(attemptMs !== undefined && { timeout: attemptMs }),
      ...(deadlineMs !== undefined && { totalTimeout: deadlineMs }),
    });
    return plainClient(async (method, path, { signal, headers, deadlineMs: ofCall, names }) => {
      const response = await client(baseUrl + path, {
        method,
        signal,
        headers,
        ...(method === 'POST' && { json: { names } }),
        ...(ofCall !== undefined && { totalTimeout: ofCall }),
      });
      return response.status === 204 ? undefined : await response.json();
    });
  },
  explain: (error) => ({ status: error.response?.status, cause: error.cause ?? error }),
};

/** @type {Subject} */
const gotPeer = {
  name: 'got',
  routes: PLAIN_ROUTES,
  abilities: new Set(['attempt-bound', 'signal']),
  open({ baseUrl, credential, maxAttempts, attemptMs }) {
    const client = got.extend({
      headers: { 'x-api-key': credential },
      ...(maxAttempts !== undefined && { retry: { limit: maxAttempts - 1 } }),
      ...(attemptMs !== undefined && { timeout: { request: attemptMs } }),
    });
    return plainClient(async (method, path, { signal, headers, names = [] }) => {
      const response = await client(baseUrl + path, {
        method,
        signal,
        headers,
        ...(method === 'POST' && { json: { names } }),
      });
      return response.body === '' ? undefined : JSON.parse(response.body);
    });
  },
  explain: (error) => ({ status: error.response?.statusCode, cause: error.cause ?? error }),
};

/** @type {Subject} */
const openApiFetch = {
  name: 'openapi-fetch',
  routes: PLAIN_ROUTES,
  abilities: new Set(['signal']),
  open({ baseUrl, credential }) {
    const client = createOpenApiClient({ baseUrl, headers: { 'x-api-key': credential } });
    return plainClient(async (method, path, { signal, headers, names }) => {
      const { data, response } = await client.request(method.toLowerCase(), path, {
        signal,
        headers,
        ...(method === 'POST' && { body: { names } }),
      });
      // It leaves the check to its caller.
      if (!response.ok) throw Object.assign(new Error('not ok'), { status: response.status });
      return data;
    });
  },
  explain: (error) => ({ status: error.status, cause: error.cause ?? error }),
};

export const peers = [openai, anthropic, stripe, kyPeer, gotPeer, openApiFetch];

function plainClient(send) {
  return {
    call: (name, options = {}) => {
      const [method, path] = PLAIN_ROUTES[name].at.split(' ');
      return send(method, path, options);
    },
  };
}

function stainlessOptions({ maxAttempts, attemptMs }) {
  return {
    ...(maxAttempts !== undefined && { maxRetries: maxAttempts - 1 }),
    ...(attemptMs !== undefined && { timeout: attemptMs }),
  };
}

function stainlessClient(calls, list) {
  return {
    call: async (name, { signal, headers, key, names = ['end'] } = {}) =>
      calls[name]({ signal, headers, ...(key !== undefined && { idempotencyKey: key }) }, names),
    async *list() {
      for await (const { id } of list()) yield id;
    },
    firstPage: async () => (await list()).data.map(({ id }) => id),
  };
}

function stainlessPages(names) {
  return names.map((page, at) => ({
    body: {
      object: 'list',
      data: page.map((id) => ({ id })),
      has_more: at + 1 < names.length,
      last_id: page.at(-1),
    },
  }));
}

function serverSentEvents(pieces) {
  return { headers: { 'content-type': 'text/event-stream' }, pieces };
}

function data(value) {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function messageEvent(type, value) {
  return `event: ${type}\n${data({ type, ...value })}`;
}
