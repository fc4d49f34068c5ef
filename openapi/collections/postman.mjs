import { createRequire } from 'node:module';
import { credentialOf, operationsIn, preparedDocument, VARIABLES } from './prepared-document.mjs';

/** A folder for each tag, a request for each operation. Without anything that differs from one run to the next. */
export async function postmanCollection(document) {
  const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2');
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    enableOptionalParameters: false,
  };
  const { item } = await new Promise((resolve, reject) => {
    const input = { type: 'json', data: preparedDocument(document) };
    convertV2(input, options, (error, { result, reason, output } = {}) => {
      if (error || !result) reject(error ?? new Error(reason));
      else resolve(output[0].data);
    });
  });
  const operations = new Map(
    operationsIn(document).map(({ name, operation }) => [name, operation]),
  );
  return {
    info: {
      name: document.info.title,
      version: document.info.version,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: AUTH.apiKey,
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: item.map(({ name, description, item: requests }) => ({
      name,
      description,
      item: requests.map((request) => requestItem(request, operations)),
    })),
  };
}

function requestItem({ name, request: converted, response }, operations) {
  // What the converter says of credentials, or not, is not ours.
  const { auth: _guess, ...request } = converted;
  const { method, url } = request;
  const credential = credentialOf(operations.get(`${method} /${url.path.join('/')}`));
  return {
    name,
    request: { ...request, ...(credential !== 'apiKey' && { auth: AUTH[credential] }) },
    response: response.map(({ id: _random, ...example }) => example),
  };
}

const AUTH = {
  none: { type: 'noauth' },
  apiKey: {
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'X-API-Key', type: 'string' },
      { key: 'value', value: '{{apiKey}}', type: 'string' },
      { key: 'in', value: 'header', type: 'string' },
    ],
  },
  accessToken: {
    type: 'bearer',
    bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }],
  },
};
