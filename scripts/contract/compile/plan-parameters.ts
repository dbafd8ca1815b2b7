import { isJson } from '../../../server/contract/media-type.ts';
import { isObject, type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import type {
  ExplodedNames,
  ParameterPlan,
  ParameterStyle,
  ParametersPlan,
  QueryPlan,
} from '../../../server/validation/parameters/parameter-plan.ts';
import { anyShape, type Shape } from '../../../server/validation/parameters/shape.ts';
import type { Contract } from '../model/contract.ts';
import type { Operation } from '../model/operation.ts';
import { isIgnoredHeader } from '../model/read-parameters.ts';
import { defaultOf, defaultsOf } from './defaults-of.ts';
import { hasNode } from './document-pointers.ts';
import type { Direction, SchemaCopies } from './schema-copies.ts';
import { shapeOf } from './shape-of.ts';

/** A parameter of an operation, after references are followed. Those of the path item are merged in. */
export interface DocumentedParameter {
  node: JsonObject;
  /** JSON Pointer of the node in its document. */
  pointer: string;
  /** JSON Pointer of its schema, if that is not in the node. */
  schemaPointer?: string | undefined;
}

type Resolve = (reference: string) => unknown;

// Headers that are defined as lists may span several lines (RFC 9110, section 5.3). X-Request-Id is never rejected
// (D27).
const repeatableHeaders = new Set(['prefer', 'if-match', 'x-request-id']);

/**
 * Prepares the parameters of an operation, so that requests are parsed without a look at the document.
 * @param resolve returns the node to which a reference leads
 * @throws Error if OpenAPI does not define how a parameter is sent
 */
export function planParameters(parameters: readonly DocumentedParameter[], resolve: Resolve): ParametersPlan {
  const plans = parameters.map((each) => planParameter(each, resolve));
  const at = (location: ParameterPlan['in']) => plans.filter((each) => each.in === location);
  return { query: planQuery(at('query')), path: at('path'), headers: at('header'), cookies: at('cookie') };
}

/** Prepares the parameters of a query as a whole. */
export function planQuery(parameters: readonly ParameterPlan[]): QueryPlan {
  const indexes = (has: (each: ParameterPlan) => boolean): number[] =>
    parameters.flatMap((each, index) => (has(each) ? [index] : []));
  return {
    parameters,
    exploded: indexes(({ names }) => names !== undefined),
    bracketed: indexes(({ brackets }) => brackets !== undefined),
    sharesNames: parameters.some(({ names }) =>
      parameters.some(({ name }) => names !== undefined && Object.hasOwn(names.declared, name)),
    ),
  };
}

/** Prepares a parameter. @throws Error if OpenAPI does not define how it is sent */
export function planParameter(
  { node, pointer, schemaPointer: check = schemaPointerOf(node, pointer) }: DocumentedParameter,
  resolve: Resolve,
): ParameterPlan {
  const name = String(node.name);
  const location = locationOf(node.in);
  const isIgnored = location === 'header' && isIgnoredHeader(name);
  const [mediaType, media] = contentOf(node);
  const schema = isIgnored ? {} : mediaType === undefined && !media ? node.schema : media?.schema;
  const shape = isJson(mediaType ?? '') ? anyShape : shapeOf(schema, check, resolve);
  const hasStyle = mediaType === undefined && !isIgnored;
  const style = styleOf(name, location, hasStyle ? node.style : undefined, node.explode === true, shape);
  const explode = typeof node.explode === 'boolean' ? node.explode : style === 'form';
  const required = !isIgnored && (node.required === true || location === 'path');
  const value = defaultOf(schema, resolve);
  const defaults = defaultsOf(schema, resolve);
  const names =
    mediaType === undefined && explode && style === 'form' && (location === 'query' || location === 'cookie')
      ? namesOf(shape)
      : undefined;
  if (names?.isOpen && location === 'cookie')
    throw new Error(
      `The cookie ${name} is an exploded object that allows any property, which cannot be told from other cookies. Declare its properties, or describe it with content: application/json.`,
    );
  const brackets =
    mediaType === undefined && location === 'query' ? bracketsOf(shape, style === 'deepObject') : [];
  return {
    name,
    in: location,
    key: location === 'header' ? name.toLowerCase() : name,
    required,
    style,
    explode,
    allowEmptyValue: node.allowEmptyValue === true,
    ...(mediaType === undefined ? {} : { content: isJson(mediaType) ? 'json' : 'text' }),
    shape,
    ...(isIgnored || schema === undefined ? {} : { check }),
    ...(value === undefined ? {} : { default: value }),
    ...(defaults === undefined ? {} : { defaults }),
    ...(names === undefined ? {} : { names }),
    ...(brackets.length === 0 ? {} : { brackets }),
    mayRepeat: isIgnored || repeatableHeaders.has(name.toLowerCase()) || kindsOf(shape).has('array'),
  };
}

function schemaPointerOf({ content }: JsonObject, pointer: string): string {
  const [mediaType] = Object.keys(objectOf(content));
  return `${pointer}/${mediaType === undefined ? '' : `content/${escapePointer(mediaType)}/`}schema`;
}

function locationOf(location: unknown): ParameterPlan['in'] {
  if (location === 'query' || location === 'header' || location === 'path' || location === 'cookie')
    return location;
  throw new Error(`A parameter cannot be in ${String(location)}. Use query, header, path or cookie.`);
}

/** Returns the media type of `content`, if there is a single one, and its description. */
function contentOf({ content }: JsonObject): [mediaType: string | undefined, media?: JsonObject] {
  const [entry] = Object.entries(objectOf(content));
  if (!entry) return [undefined];
  // A range of media types says nothing about the text, so the schema does.
  return [entry[0].includes('*') ? undefined : entry[0], objectOf(entry[1])];
}

/** Returns the names under which the properties of a shape are sent; undefined if no object is possible. */
function namesOf(shape: Shape): ExplodedNames | undefined {
  const declared: Record<string, true> = {};
  let found: ExplodedNames | undefined;
  for (const each of shapesIn(shape)) {
    if (each.kind !== 'object') continue;
    for (const name of Object.keys(each.properties)) defineOwn(declared, name, true);
    found = {
      declared,
      isOpen: found?.isOpen === true || each.names !== 'declared',
      isOnly: shapesIn(shape).every(({ kind }) => kind === 'object'),
    };
  }
  return found && (found.isOpen || Object.keys(declared).length > 0) ? found : undefined;
}

function bracketsOf(shape: Shape, isDeep: boolean): ('properties' | 'items')[] {
  const kinds = kindsOf(shape);
  return [
    ...(isDeep && (kinds.has('object') || kinds.has('any')) ? ['properties' as const] : []),
    ...(kinds.has('array') || (isDeep && kinds.has('any')) ? ['items' as const] : []),
  ];
}

const kindsOf = (shape: Shape): Set<Shape['kind']> => new Set(shapesIn(shape).map(({ kind }) => kind));

/** Returns the shapes that are no unions and no references, one of which a value has. */
export function shapesIn(shape: Shape): readonly Shape[] {
  if (shape.kind === 'named') return shapesIn(shape.shape);
  return shape.kind === 'union' ? shape.alternatives.flatMap(shapesIn) : [shape];
}

/** The styles of each location, with the default first (OpenAPI 3.1.1, section 4.8.12.2). */
const stylesIn: Readonly<Record<ParameterPlan['in'], readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/**
 * Returns the style in which a parameter is sent.
 * @param style the documented one; undefined for the default
 * @throws Error that names the parameter and a remedy, if OpenAPI does not define how it is sent
 */
function styleOf(
  name: string,
  location: ParameterPlan['in'],
  style: unknown,
  isExploded: boolean,
  shape: Shape,
): ParameterStyle {
  const what = location === 'cookie' ? `The cookie ${name}` : `The ${location} parameter ${name}`;
  const styles = stylesIn[location];
  const found = style === undefined ? styles[0] : styles.find((each) => each === style);
  if (found === undefined)
    throw new Error(`${what} has the style ${String(style)}. Use ${styles.join(' or ')}.`);
  if (isExploded && shape.kind === 'object' && (found === 'spaceDelimited' || found === 'pipeDelimited'))
    throw new Error(
      `${what} is an exploded object with the style ${found}, which OpenAPI does not define. Use style: form, or explode: false.`,
    );
  return found;
}

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
