import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import type { ParametersPlan } from '../../../server/validation/parameters/parameter-plan.ts';
import type { Contract } from '../model/contract.ts';
import type { Operation } from '../model/operation.ts';
import { hasNode } from './document-pointers.ts';
import { type DocumentedParameter, planParameters } from './plan-parameters.ts';
import type { Direction, SchemaCopies } from './schema-copies.ts';

/**
 * Returns how the parameters of an operation are parsed. Also those in the query that its security schemes expect, which
 * would be refused otherwise. Many clients send the key of the whole API also to operations that need none.
 */
export function planOfParameters(
  contract: Contract,
  copies: SchemaCopies,
  { parameters, security }: Operation,
): ParametersPlan {
  const known = new Set(parameters.map(({ in: location, name }) => `${location} ${name}`));
  const keys = keysInQuery(contract, security).filter(({ name }) => !known.has(`query ${name}`));
  const plan = planParameters([...parameters, ...keys.map(asParameter)], contract.resolve);
  return withNames(plan, contract.document, copies, 'request');
}

function keysInQuery({ document, follow }: Contract, security: Operation['security']): { name: string }[] {
  const schemes = objectOf(document.components?.securitySchemes);
  const ofAll = Array.isArray(document.security) ? document.security.filter(isObject) : [];
  const names = [...new Set([...security, ...ofAll].flatMap(Object.keys))].filter((name) =>
    Object.hasOwn(schemes, name),
  );
  return names
    .map((name) => follow(schemes[name]).node)
    .filter((scheme) => scheme.type === 'apiKey' && scheme.in === 'query')
    .map(({ name }) => ({ name: String(name) }));
}

/** Its schema is not in the document, so the value is not validated. */
const asParameter = ({ name }: { name: string }): DocumentedParameter => ({
  node: { name, in: 'query', schema: { type: 'string' } },
  pointer: '/-',
});

/** Replaces the JSON Pointers of schemas in a plan by names: `check` and `checks`. Without a schema, there is no check. */
export function withNames<Plan>(
  plan: Plan,
  document: object,
  copies: SchemaCopies,
  direction: Direction | undefined,
): Plan {
  const nameOf = (pointer: unknown) =>
    hasNode(document, String(pointer)) ? [copies.nameOf(String(pointer), direction)] : [];
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
        if (key === 'default' || key === 'defaults') return [[key, each]];
        // A property of an object can have these names, but its shape is an object.
        if (key === 'check' && typeof each === 'string') return nameOf(each).map((name) => [key, name]);
        if (key === 'checks' && Array.isArray(each)) return [[key, each.flatMap(nameOf)]];
        return [[key, rename(each)]];
      }),
    );
  };
  return rename(plan) as Plan;
}
