/**
 * Describes how text becomes a value of a schema. Shapes are made when a contract is compiled, and are plain data.
 * Text that is not a value of its shape stays text, so that the schema rejects it and names the location.
 */
export type Shape =
  | ScalarShape
  | ArrayShape
  | ObjectShape
  | UnionShape
  | NamedShape
  | ReferenceShape
  | AnyShape;

export type ScalarType = 'integer' | 'number' | 'boolean' | 'null' | 'string';

/** The order in which the types of a text are tried. Every text is a string, so it is the last. */
export const scalarTypes: readonly ScalarType[] = ['integer', 'number', 'boolean', 'null', 'string'];

export interface ScalarShape {
  kind: 'scalar';
  /** In the order of `scalarTypes`. */
  types: readonly ScalarType[];
  /** JSON Pointers of the schemas that decide between several types: each of them must accept the value. */
  checks: readonly string[];
  /** Formats of integers that a JavaScript number cannot hold exactly. Their values are rounded, as in JSON. */
  format?: 'int64' | 'uint64';
}

export interface ArrayShape {
  kind: 'array';
  items: Shape;
  prefix: readonly Shape[];
}

export interface ObjectShape {
  kind: 'object';
  /** Own properties only. */
  properties: Readonly<Record<string, Shape>>;
  /** Shapes by pattern of the name. */
  patterns: readonly (readonly [pattern: string, shape: Shape])[];
  /** The shape of properties that are not declared. The schema decides whether they are allowed. */
  additional: Shape;
  /**
   * Whether an exploded object collects names that it does not declare: `open` if the schema describes further
   * properties, `bare` if it describes none at all.
   */
  names: 'declared' | 'open' | 'bare';
}

/** The first alternative whose value the schemas accept. */
export interface UnionShape {
  kind: 'union';
  alternatives: readonly Shape[];
  /** JSON Pointers of the schemas that decide. */
  checks: readonly string[];
}

/** A shape to which shapes inside it refer. */
export interface NamedShape {
  kind: 'named';
  name: string;
  shape: Shape;
}

/** The shape around this one that has the name. */
export interface ReferenceShape {
  kind: 'reference';
  name: string;
}

/** No type is known: the text stays text. */
export interface AnyShape {
  kind: 'any';
}

export const anyShape: AnyShape = { kind: 'any' };

/** An object of which nothing is known. */
export const untypedObject: ObjectShape = {
  kind: 'object',
  properties: {},
  patterns: [],
  additional: anyShape,
  names: 'open',
};
