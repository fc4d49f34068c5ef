/** The variables of a collection, with what they are at first. Credentials are left for their owner to fill in. */
export const VARIABLES = { baseUrl: 'http://127.0.0.1:3000', apiKey: '', accessToken: '' };

/**
 * The document as converters take it best: without refusals and security, of which they make hundreds of copies and wrong
 * guesses, and with the examples of parameters where converters look for them.
 */
export function preparedDocument(document) {
  const prepared = structuredClone(document);
  prepared.servers = [{ url: VARIABLES.baseUrl }];
  delete prepared.components.securitySchemes;
  delete prepared.components.responses;
  delete prepared.components.examples;
  const { parameters, schemas } = prepared.components;
  for (const parameter of Object.values(parameters)) showExample(parameter, schemas);
  for (const { operation } of operationsIn(prepared)) {
    delete operation.security;
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status)),
    );
    for (const parameter of operation.parameters) {
      if (parameter.schema !== undefined) showExample(parameter, schemas);
    }
  }
  return prepared;
}

/** Every operation, by how it is asked for: `GET /scans/:id`. */
export function operationsIn(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  );
}

/** Which variable an operation is asked with: of the kinds that it takes, the one for automation. */
export function credentialOf(operation) {
  const kinds = operation['x-credentials'];
  if (kinds === 'public') return 'none';
  return kinds.includes('api_key') ? 'apiKey' : 'accessToken';
}

function showExample(parameter, schemas) {
  const { schema } = parameter;
  const items = exampleOf(schema.items, schemas);
  const example = schema.items === undefined ? exampleOf(schema, schemas) : items && [items];
  if (example !== undefined) parameter.example ??= example;
}

function exampleOf(schema, schemas) {
  const { $ref } = schema ?? {};
  const found = $ref === undefined ? schema : schemas[$ref.replace(/.*\//, '')];
  const example = found?.examples?.[0] ?? found?.default ?? found?.enum?.[0];
  return example ?? (found?.type === 'boolean' ? true : undefined);
}
