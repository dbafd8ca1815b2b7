import { expect } from 'vitest';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../../server/contract/operations.ts';
import { fieldOf } from '../../../../server/lib/field-error.ts';
import { withWorkLimit } from '../../../../server/lib/work-limit.ts';
import type { ParametersPlan } from '../../../../server/validation/parameters/parameter-plan.ts';
import {
  parseParameters,
  type RawParameters,
} from '../../../../server/validation/parameters/parse-parameters.ts';
import { documentOf, responses } from '../../../support/documents.ts';

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

interface TestParameter extends Record<string, unknown> {
  name: string;
  in: string;
}

/** Creates a function that parses and validates the parameters of one operation. */
export function requestParser(
  parameters: readonly TestParameter[],
  schemas: object = {},
): ((raw: Partial<RawParameters>) => Parsed) & { plan: ParametersPlan } {
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `/{${name}}`);
  const get = { parameters, responses: responses({}, 200) };
  const document = documentOf({ [`/a${inPath.join('')}`]: { get } }, { components: { schemas } });
  const [operation = expect.fail()] = operationsOf(compileContract(document));
  if (operation.disabled) throw new Error(operation.disabled);
  const { parameters: plan } = operation;
  const parse = (raw: Partial<RawParameters>): Parsed => {
    let checks = 0;
    const accepts = (check: string, value: unknown): boolean => {
      checks += 1;
      return operation.accepts(check, value);
    };
    const { problems, ...values } = withWorkLimit([raw], () =>
      parseParameters(plan, { query: '', path: {}, headers: {}, rawHeaders: [], ...raw }, accepts),
    );
    const errors = problems.map(({ field, message }) => `${field} ${message}`);
    const parts = { query: values.query, path: values.path, header: values.headers, cookie: values.cookies };
    for (const { name, key, in: location, check } of [
      ...plan.query.parameters,
      ...plan.path,
      ...plan.headers,
      ...plan.cookies,
    ])
      if (Object.hasOwn(parts[location], key) && check !== undefined)
        for (const { pointer, message } of operation.violationsOf(check, parts[location][key]))
          errors.push(`${fieldOf(location, `/${name}${pointer}`)} ${message}`);
    return { ...values, errors, checks };
  };
  return Object.assign(parse, { plan });
}
