import { isJson } from '../../../server/contract/media-type.ts';
import { isBinary } from '../../../server/contract/multipart-form.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { type JsonObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import type { ParameterPlan } from '../../../server/validation/parameters/parameter-plan.ts';
import {
  type FormPlan,
  otherFields,
  type PartPlan,
} from '../../../server/validation/parameters/read-form.ts';
import { anyShape, type Shape, untypedObject } from '../../../server/validation/parameters/shape.ts';
import { followReferences } from '../../lib/json-pointer.ts';
import type { Content } from '../model/operation.ts';
import { planParameter, planQuery } from './plan-parameters.ts';
import { shapeOf } from './shape-of.ts';

type Resolve = (reference: string) => unknown;

/** A property of a form. */
interface Property {
  schema: unknown;
  /** JSON Pointer of the schema. */
  pointer: string;
}

/** Whether a body of a documented media type, which may be a range, can be a form. */
export const mayBeForm = (mediaType: string): boolean =>
  /^(\*\/\*|application\/(\*|x-www-form-urlencoded)|multipart\/(\*|form-data))/i.test(mediaType);

/**
 * Returns how a form is read: by the encoding of each property, or else as an exploded object, in which objects are JSON.
 * @param resolve returns the schema to which a reference leads
 * @throws Error if OpenAPI does not define how a property is sent
 */
export function planForm(
  content: Pick<Content, 'mediaType' | 'schema' | 'node'> & Partial<Pick<Content, 'schemaPointer'>>,
  resolve: Resolve,
): FormPlan {
  const { mediaType, schema, schemaPointer = '/-', node } = content;
  const properties = propertiesOf(schema, schemaPointer, resolve);
  const isMultipart = /^multipart\//i.test(mediaType);
  const encodings = new Map(
    Object.entries(objectOf(node.encoding)).map(([name, each]) => [name, objectOf(each)]),
  );
  const fields = [...encodings].flatMap(([name, encoding]): ParameterPlan[] => {
    const property = properties.get(name) ?? { schema: {}, pointer: '/-' };
    if (fileSchemaOf(property, resolve)) return [];
    try {
      return planField(name, encoding, property, { isMultipart, resolve });
    } catch (cause) {
      throw new Error(`The encoding of ${name} cannot be enforced. ${errorMessage(cause)}`, { cause });
    }
  });
  const own = new Set(fields.map(({ name }) => name));
  const parts: Record<string, PartPlan> = {};
  for (const [name, property] of properties) {
    const part = planPart(property, encodings.get(name), resolve);
    if (part) defineOwn(parts, name, part);
  }
  // All objects inside the form are JSON.
  const shape = withoutProperties(shapeOf(schema, schemaPointer, resolve, 1), own);
  return {
    query: planQuery([
      ...fields,
      othersOf(
        shape,
        [...properties.keys()].filter((name) => !own.has(name)),
      ),
    ]),
    parts,
  };
}

/** Returns the plan of a property whose encoding differs from the default. */
function planField(
  name: string,
  encoding: JsonObject,
  { schema, pointer: schemaPointer }: Property,
  { isMultipart, resolve }: { isMultipart: boolean; resolve: Resolve },
): ParameterPlan[] {
  const { style = 'form', explode, contentType = '' } = encoding;
  const shape = shapeOf(schema, schemaPointer, resolve, 1);
  const isStyled = ['style', 'explode', 'allowReserved'].some((keyword) => keyword in encoding);
  // Several generators write `style: form` for every part of a multipart form, where OpenAPI 3.0 ignores it.
  if (isStyled && (!isMultipart || style !== 'form' || shape.kind === 'array')) {
    const node = { name, in: 'query', schema, style, ...(explode === undefined ? {} : { explode }) };
    return [withoutDefaults(planParameter({ node, pointer: '', schemaPointer }, resolve))];
  }
  if (!String(contentType).split(',').every(isJson)) return [];
  const node = { name, in: 'query', content: { 'application/json': { schema } } };
  const plan = planParameter({ node, pointer: '', schemaPointer }, resolve);
  return [{ ...withoutDefaults(plan), shape: shape.kind === 'array' ? shape : anyShape }];
}

/** The defaults are those of the whole body. */
function withoutDefaults({ default: _default, defaults: _defaults, ...plan }: ParameterPlan): ParameterPlan {
  return plan;
}

/** Returns the plan of the fields without an encoding of their own. */
const othersOf = (shape: Shape, names: readonly string[]): ParameterPlan => {
  const declared: Record<string, true> = {};
  for (const name of names) defineOwn(declared, name, true);
  return {
    ...{ name: otherFields, in: 'query', key: otherFields, required: true, style: 'form', explode: true },
    ...{ allowEmptyValue: false, mayRepeat: false },
    shape: shape.kind === 'any' ? untypedObject : shape,
    names: { declared, isOpen: true, isOnly: true },
  };
};

function withoutProperties(shape: Shape, names: ReadonlySet<string>): Shape {
  if (shape.kind === 'named') return { ...shape, shape: withoutProperties(shape.shape, names) };
  if (shape.kind !== 'object') return shape;
  const kept: Record<string, Shape> = {};
  for (const [name, each] of Object.entries(shape.properties))
    if (!names.has(name)) defineOwn(kept, name, each);
  return { ...shape, properties: kept };
}

/** Returns what the parts of a property can be; undefined if its type is not known. */
function planPart(
  property: Property,
  encoding: JsonObject | undefined,
  resolve: Resolve,
): PartPlan | undefined {
  const { type, allOf, anyOf, oneOf } = followed(property.schema, resolve);
  const isFile = fileSchemaOf(property, resolve) !== undefined;
  const mayBeFile = [allOf, anyOf, oneOf].some((branches) =>
    listOf(branches).some((schema) => fileSchemaOf({ ...property, schema }, resolve)),
  );
  const { kind } = shapeOf(property.schema, property.pointer, resolve, 1);
  if (!isFile && (mayBeFile || kind === 'any')) return undefined;
  const mediaTypes = String(encoding?.contentType ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  return {
    isFile,
    isList: [type].flat().includes('array'),
    ...(isFile && mediaTypes.length > 0 ? { mediaTypes } : {}),
  };
}

/** Returns the schema of a file, or of a list's files. */
function fileSchemaOf({ schema }: Property, resolve: Resolve): JsonObject | undefined {
  const node = followed(schema, resolve);
  return [node, followed(node.items, resolve)].find(isBinary);
}

const followed = (schema: unknown, resolve: Resolve): JsonObject =>
  objectOf(followReferences(schema, resolve).node);

/** Returns the properties of an object schema, including those of `allOf`, `oneOf` and `anyOf`. */
function propertiesOf(
  schema: unknown,
  at: string,
  resolve: Resolve,
  known = new Set<string>(),
): Map<string, Property> {
  const { node: found, pointer, siblings } = followReferences(schema, resolve, at);
  // Referenced schemas may be circular.
  if (pointer !== at && known.has(pointer)) return new Map();
  known.add(pointer);
  const node = objectOf(found);
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) =>
    listOf(node[keyword]).map((part, index) => ({ part, at: `${pointer}/${keyword}/${index}` })),
  );
  const own = Object.entries(objectOf(node.properties));
  if (Object.keys(siblings).length > 0) parts.push({ part: siblings, at });
  return new Map([
    ...parts.flatMap((each) => [...propertiesOf(each.part, each.at, resolve, known)]),
    ...own.map(([name, each]): [string, Property] => [
      name,
      { schema: each, pointer: `${pointer}/properties/${escapePointer(name)}` },
    ]),
  ]);
}
