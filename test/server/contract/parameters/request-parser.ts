import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { planParameters } from '../../../../scripts/contract/compile/plan-parameters.ts';
import { fieldOf } from '../../../../server/lib/field-error.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { unescapePointer } from '../../../../server/lib/json-text.ts';
import { ownOf } from '../../../../server/lib/own-property.ts';
import { violationOf } from '../../../../server/lib/violation.ts';
import type { ParametersPlan } from '../../../../server/validation/parameters/parameter-plan.ts';
import {
  parseParameters,
  type RawParameters,
} from '../../../../server/validation/parameters/parse-parameters.ts';

export interface Parsed {
  query: Record<string, unknown>;
  path: Record<string, unknown>;
  headers: Record<string, unknown>;
  cookies: Record<string, unknown>;
  /** `LOCATION MESSAGE` of parameters that are not sent as documented, or that their schemas reject. */
  errors: string[];
  /** The number of calls of `accepts`. */
  checks: number;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
addFormats.default(ajv);
let documents = 0;

/** Creates a function that parses and validates the parameters of one operation. */
export function requestParser(
  parameters: readonly object[],
  schemas: object = {},
): ((raw: Partial<RawParameters>) => Parsed) & { plan: ParametersPlan } {
  const document = { parameters, components: { schemas } };
  documents += 1;
  const name = `document${documents}`;
  ajv.addSchema(document, name);
  const resolve = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .map((step) => unescapePointer(decodeURIComponent(step)))
      .reduce<unknown>((node, step) => {
        if (Array.isArray(node)) return node[Number(step)];
        return isObject(node) ? ownOf(node, step) : undefined;
      }, document);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();
  const validatorOf = (check: string) => {
    const $ref = `${name}#${check.split('/').map(encodeURIComponent).join('/')}`;
    const known = validators.get(check) ?? ajv.compile({ $ref });
    validators.set(check, known);
    return known;
  };
  const planned = planParameters(
    parameters.map((node, index) => ({ node: { ...node }, pointer: `/parameters/${index}` })),
    resolve,
  );
  // Plans are written into generated files.
  const plan: ParametersPlan = JSON.parse(JSON.stringify(planned));

  const parse = (raw: Partial<RawParameters>): Parsed => {
    let checks = 0;
    const { problems, ...values } = parseParameters(
      plan,
      { query: '', path: {}, headers: {}, rawHeaders: [], ...raw },
      (check, value) => {
        checks += 1;
        return validatorOf(check)(value) === true;
      },
    );
    const errors = problems.map(({ field, message }) => `${field} ${message}`);
    const groups = [
      ['query', plan.query.parameters, values.query],
      ['path', plan.path, values.path],
      ['header', plan.headers, values.headers],
      ['cookie', plan.cookies, values.cookies],
    ] as const;
    for (const [location, group, given] of groups)
      for (const { name, key, check } of group) {
        if (!Object.hasOwn(given, key) || check === undefined) continue;
        const validate = validatorOf(check);
        if (validate(given[key])) continue;
        const found = (validate.errors ?? []).map(violationOf);
        errors.push(
          ...found.map(({ pointer, message }) => `${fieldOf(location, `/${name}${pointer}`)} ${message}`),
        );
      }
    return { ...values, errors, checks };
  };
  return Object.assign(parse, { plan });
}

/** Parses one parameter, and returns its value or its errors. */
export function parseOne(
  parameter: { name: string; in: 'query' | 'path' | 'header' | 'cookie' } & Record<string, unknown>,
  text: string,
  schemas?: object,
): unknown {
  const parsed = requestParser(
    [{ ...(parameter.in === 'path' ? { required: true } : {}), ...parameter }],
    schemas,
  )({
    ...(parameter.in === 'query' ? { query: text } : {}),
    ...(parameter.in === 'path' ? { path: { [parameter.name]: text } } : {}),
    ...(parameter.in === 'header' ? { headers: { [parameter.name.toLowerCase()]: text } } : {}),
    ...(parameter.in === 'cookie' ? { headers: { cookie: text } } : {}),
  });
  if (parsed.errors.length > 0) return parsed.errors;
  const { query, path, headers, cookies } = parsed;
  const values = { query, path, header: headers, cookie: cookies }[parameter.in];
  return ownOf(values, parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name);
}
