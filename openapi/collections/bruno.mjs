import { credentialOf, operationsIn, preparedDocument, VARIABLES } from './prepared-document.mjs';

/** The files of a collection by their paths: a folder for each tag, a request for each operation, one environment. */
export async function brunoFiles(document) {
  const { openApiToBruno } = await import('@usebruno/converters');
  const bruno = await import('@usebruno/filestore');
  const format = { format: 'bru' };
  const { name, items, root } = openApiToBruno(preparedDocument(document), { groupBy: 'tags' });
  const operations = new Map(
    operationsIn(document).map(({ name, operation }) => [name, operation]),
  );
  const tags = document.tags.map((tag) => tag.name);

  const files = {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`,
    'collection.bru': bruno.stringifyCollection(collectionRoot(root), {}, format),
    'environments/Local.bru': bruno.stringifyEnvironment(environment(), format),
  };
  items.forEach((folder, index) => {
    // The converter writes names with underscores in the place of spaces; the tags have them in their order.
    const tag = tags.find((each) => each.replaceAll(' ', '_') === folder.name) ?? folder.name;
    const meta = { name: tag, seq: index + 1 };
    files[`${tag}/folder.bru`] = bruno.stringifyFolder({ meta, docs: folder.root?.docs }, format);
    for (const item of folder.items) {
      const text = bruno.stringifyRequest(requestItem(item, operations), format);
      files[`${tag}/${fileName(item.name)}.bru`] = text;
    }
  });
  return files;
}

/** Requests that say nothing else send the key of the environment. */
function collectionRoot(root) {
  return { ...root, request: { ...root.request, auth: AUTH.apiKey } };
}

function environment() {
  const variables = Object.entries(VARIABLES).map(([name, value]) => ({
    name,
    value,
    type: 'text',
    enabled: true,
    // Bruno keeps what is secret out of the file.
    secret: name !== 'baseUrl',
  }));
  return { name: 'Local', variables };
}

function requestItem({ examples: _many, ...item }, operations) {
  const { method, url, headers, params } = item.request;
  const operation = operations.get(`${method} ${url.replace('{{baseUrl}}', '')}`);
  const credential = credentialOf(operation);
  const required = new Set(
    operation.parameters.filter((each) => each.required === true).map((each) => each.name),
  );
  // What may be left out is there to be switched on.
  const optional = (entry) => ({ ...entry, enabled: required.has(entry.name) });
  return {
    ...item,
    request: {
      ...item.request,
      auth: credential === 'apiKey' ? { mode: 'inherit' } : AUTH[credential],
      headers: headers.map(optional),
      params: params.map(optional),
    },
  };
}

const AUTH = {
  none: { mode: 'none' },
  apiKey: {
    mode: 'apikey',
    apikey: { key: 'X-API-Key', value: '{{apiKey}}', placement: 'header' },
  },
  accessToken: { mode: 'bearer', bearer: { token: '{{accessToken}}' } },
};

/** Summaries are names of files but for a character or two. */
function fileName(summary) {
  return summary.replaceAll(/[?/\\:*"<>|]/g, '').trim();
}
