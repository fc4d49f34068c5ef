import { invalid, type MockInput, type MockJson, readParameter } from '@cspm/sdk/testing';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Checks input by the schemas of a document (JSON Schema 2020-12), and refuses it with every fault and its path. */
export function documentInput(document: object): MockInput {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
  const compiled = new Map<string, ValidateFunction>();
  // The package is CommonJS: TypeScript sees its function one `default` deeper than it is.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'document', components: (document as { components: object }).components });

  function faultsOf(id: string, schema: MockJson, value: unknown, at: string): Fault[] {
    let validate = compiled.get(id);
    if (validate === undefined) {
      validate = ajv.compile(absolute(schema) as object);
      compiled.set(id, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).map((error) => faultOf(error, at));
  }

  return {
    query({ id, parameters }, search) {
      const declared = parameters.filter((parameter) => parameter.in === 'query');
      const values: Record<string, unknown> = {};
      const faults: Fault[] = [];
      for (const name of new Set(search.keys())) {
        const parameter = declared.find((one) => one.name === name);
        if (parameter === undefined)
          faults.push({ path: `query.${name}`, message: 'is not known' });
        else values[name] = readParameter(search.getAll(name), parameter.schema);
      }
      for (const { name, schema, required } of declared) {
        if (values[name] === undefined) {
          if (schema['default'] !== undefined) values[name] = schema['default'];
          else if (required) faults.push({ path: `query.${name}`, message: 'is missing' });
          continue;
        }
        faults.push(...faultsOf(`${id} ${name}`, schema, values[name], `query.${name}`));
      }
      invalid(faults);
      return values;
    },
    body({ id, body }, value) {
      const schema = body['application/json']?.schema;
      if (schema !== undefined) invalid(faultsOf(`${id} body`, schema, value, 'body'));
    },
    matchesPath({ id, parameters }, params) {
      return parameters
        .filter((parameter) => parameter.in === 'path')
        .every(
          ({ name, schema }) =>
            faultsOf(`${id} path ${name}`, schema, params[name], '').length === 0,
        );
    },
  };
}

/** Makes references absolute, because each schema is compiled on its own. */
function absolute(schema: MockJson): MockJson {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
}

function faultOf({ instancePath, message, params }: ErrorObject, at: string): Fault {
  const surplus = 'additionalProperty' in params ? `.${params['additionalProperty']}` : '';
  const path = at + instancePath.replaceAll('/', '.') + surplus;
  return { path, message: surplus === '' ? (message ?? 'is not valid') : 'is not known' };
}
