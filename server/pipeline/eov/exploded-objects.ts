import { ownOf } from '../../lib/own-property.ts';
import { type DocumentNode, listOf } from '../document-node.ts';
import { propertiesOf, undeclaredOf } from '../form.ts';
import type { ContractParameter, RequestParts } from '../operation.ts';
import type { PreparedOperation } from './read-operations.ts';

type Query = RequestParts['query'];
type Resolve = (node: unknown) => DocumentNode;

/** Whether the properties of a query parameter are sent by themselves: `?a=1` instead of `?filter=a,1`. */
const isExploded = ({ in: location, names }: ContractParameter): boolean =>
  location === 'query' && names !== undefined && names !== 'brackets';

/**
 * Returns an operation for express-openapi-validator's parser, which must not collect exploded objects: it finds only
 * their declared properties, leaves the others unvalidated, and fails for a part of `allOf` without properties.
 */
export function withoutExploded(
  operation: PreparedOperation,
  parameters: readonly ContractParameter[],
  resolve: Resolve,
): PreparedOperation {
  if (!parameters.some(isExploded)) return operation;
  const changed = listOf(operation.parameters).map((given, index) => {
    const parameter = parameters[index];
    // In this style, the parser only parses a text as JSON.
    return parameter && isExploded(parameter)
      ? { ...resolve(given), style: 'spaceDelimited', explode: false }
      : given;
  });
  return { ...operation, parameters: changed };
}

/**
 * Creates a function that moves the properties of exploded objects in a query below the names of their parameters. It
 * returns a copy of the query.
 * @param documented the parameters of the operation, as documented
 * @throws Error if a property could be a list or a single value, so that a value could be read in two ways
 */
export function createCollector(
  documented: readonly unknown[],
  parameters: readonly ContractParameter[],
  resolve: Resolve,
): (query: Query) => Query {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const exploded = parameters.flatMap((parameter, index) =>
    isExploded(parameter) ? [explodedObject(parameter, resolve(documented[index]), resolve)] : [],
  );
  if (exploded.length === 0) return (query) => query;
  const ownNames = new Set(inQuery.map(({ name }) => name));
  const closedNames = new Set(exploded.flatMap(({ names }) => (names === 'any' ? [] : [...names])));
  const beforeBrackets = inQuery.filter(({ names }) => names === 'brackets').map(({ name }) => `${name}[`);
  /** Whether a name that an open object does not declare belongs to another parameter. */
  const isClaimed = (name: string) =>
    ownNames.has(name) || closedNames.has(name) || beforeBrackets.some((start) => name.startsWith(start));

  return (query) => {
    const rest = new Map(Object.entries(query));
    const collected = exploded.flatMap(({ name, names, declared, isRequired, isList }) => {
      const isDeclared = (each: string) =>
        names === 'any' ? Object.hasOwn(declared, each) : names.has(each);
      // The object as JSON under its own name.
      if (Object.hasOwn(query, name) && !isDeclared(name)) return [];
      const own = Object.entries(query).filter(
        ([each]) => isDeclared(each) || (names === 'any' && !isClaimed(each)),
      );
      for (const [each] of own) if (each === name || !ownNames.has(each)) rest.delete(each);
      const entries = own.map(([each, value]) => [
        each,
        isList(each) && !Array.isArray(value) ? [value] : value,
      ]);
      return entries.length > 0 || (isRequired && names === 'any')
        ? [[name, Object.fromEntries(entries)] as const]
        : [];
    });
    return Object.fromEntries([...rest, ...collected]);
  };
}

function explodedObject({ name, names }: ContractParameter, parameter: DocumentNode, resolve: Resolve) {
  const declared = propertiesOf(parameter.schema, resolve);
  const others = new Set(undeclaredOf(parameter.schema, resolve).map((each) => isListSchema(each, resolve)));
  if (others.size > 1)
    throw new Error(
      `The query parameter ${name} is an exploded object that allows further properties, of which some are arrays and some are not. Declare them under properties, or set style: deepObject.`,
    );
  return {
    name,
    names: names === 'any' ? ('any' as const) : new Set(Array.isArray(names) ? names : []),
    declared,
    isRequired: parameter.required === true,
    isList: (property: string): boolean =>
      Object.hasOwn(declared, property) ? isListSchema(ownOf(declared, property), resolve) : others.has(true),
  };
}

function isListSchema(schema: unknown, resolve: Resolve): boolean {
  const types = [resolve(schema).type].flat().filter((type) => type !== 'null');
  return types.length === 1 && types[0] === 'array';
}
