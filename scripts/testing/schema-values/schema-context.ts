import type { HeaderPlan } from '../../../server/contract/compiled-contract.ts';
import { violationsWithinLimit } from '../../../server/contract/schema-checks.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { pointerTo } from '../../../server/lib/json-text.ts';
import { propertyOf } from '../../../server/lib/violation.ts';
import { withWorkLimit, workLeft } from '../../../server/lib/work-limit.ts';
import { applySchema } from '../../../server/validation/explain/apply-schema.ts';
import { violationAt } from '../../../server/validation/explain/explain-schema.ts';
import {
  type BranchReport,
  type LocatedViolation,
  Run,
  wholeValue,
} from '../../../server/validation/explain/run.ts';
import { readHeaderValue } from '../../../server/validation/parameters/header-value.ts';
import { readValue } from '../../../server/validation/parameters/read-value.ts';
import { createReading } from '../../../server/validation/parameters/reading.ts';
import type { Shape } from '../../../server/validation/parameters/shape.ts';
import type { Source } from '../../../server/validation/parameters/source.ts';
import { withNames } from '../../contract/compile/plan-parameters.ts';
import { createSchemaCopies, type Direction } from '../../contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../contract/compile/schema-functions.ts';
import { shapeOf } from '../../contract/compile/shape-of.ts';
import { resolvePointer, resolveReference } from '../../lib/json-pointer.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import { once, oncePer } from '../../lib/once.ts';
import { isSchema, type JsonSchema } from './schema.ts';

/** One violated keyword. */
export interface SchemaFault {
  keyword: string;
  /** JSON Pointer into the value. For a missing or extra property, the last part is its name. */
  location: string;
  /** The requirement, without the location. */
  message: string;
  /** Set if several branches match, of which a discriminator selects one. Other validators accept such a value. */
  isSelected?: true;
}

export interface ValidationFailure {
  keyword: string;
  /** The schema object with the failed keyword, in the context's document. */
  within: unknown;
  /** The property that is missing or not allowed. */
  property: string | undefined;
}

/** A document with schemas, and functions that resolve references and validate values as the compiled contract does. */
export interface SchemaContext {
  /** Pass only schemas of this document to the functions, and schemas made of parts of them. */
  document: Readonly<Record<string, unknown>>;
  resolve(reference: string): JsonSchema;
  /** Returns the violations of a value, without those that only follow from violations of subschemas. */
  violationsOf(schema: JsonSchema, value: unknown): SchemaFault[];
  /**
   * Returns every failed keyword with its schema, including consequences of other failures; none for a valid value, and for
   * one that takes too much work.
   */
  failuresOf(schema: JsonSchema, value: unknown): ValidationFailure[];
  isValid(schema: JsonSchema, value: unknown): boolean;
  /**
   * Whether a value is valid after it is sent as text and parsed by the schema: `7` as a number, `true` as a boolean, a
   * single text as an array.
   */
  acceptsText(schema: JsonSchema, value: unknown): boolean;
  /** Whether the text of a header is a valid value. */
  acceptsHeader(schema: JsonSchema, text: string, style: HeaderPlan['style']): boolean;
  /** Returns existing IDs of a resource type, for schemas with `x-id-of`. */
  known(kind: string): readonly unknown[];
  /**
   * Called for each generated value, and those inside of it, and with the number of values whose generation takes as long as
   * another step. Throws TimeIsOver to end the generation.
   */
  assertTime(values?: number): void;
  /** Messages about limitations of the generated values, such as omitted combinations. */
  notes: Set<string>;
}

/** A schema compiled for a context. */
interface ContextSchema {
  name: string;
  accepts: (value: unknown) => boolean;
  /** How text becomes a value of the schema. */
  shape: () => Shape;
}

interface ContextOptions extends Partial<Pick<SchemaContext, 'known' | 'assertTime'>> {
  /** Called with the work of each validation, in the units of `withWorkLimit`. */
  onWork?: (units: number) => void;
  /** The direction of the messages to validate, for a document that is no view. */
  direction?: Direction;
}

/**
 * Creates a context for the schemas of a document.
 * @param document a bundled OpenAPI 3.1 document, a view of one, or any JSON with schemas; it must not change
 */
export function createSchemaContext(
  document: object,
  { known = () => [], assertTime = () => {}, onWork = () => {}, direction }: ContextOptions = {},
): SchemaContext {
  const own = { ...document };
  // The compiler finds schemas by their pointers, also those that are made of parts of the document.
  const added: JsonSchema[] = [];
  const compiled = { ...own, [addedSchemas]: added };
  const copies = createSchemaCopies(compiled);
  const functions = createSchemaFunctions(copies, true);
  const resolve = oncePer((reference: string): JsonSchema => {
    const found = resolveReference(own, reference);
    if (!isSchema(found)) throw new Error(`The reference ${reference} does not exist.`);
    return found;
  });
  const deciderOf = oncePer((name: string) => functions.deciderOf(name));
  /** Returns whether a value is valid; undefined if it takes too much work, such as a schema that applies itself to the same value. */
  const decide = (name: string, value: unknown): boolean | undefined => {
    let isValid: boolean | undefined;
    let units = 0;
    violationsWithinLimit(value, () => {
      const before = workLeft();
      try {
        isValid = deciderOf(name)(value);
      } finally {
        units = Math.max(0, before - workLeft()) || before;
      }
      return [];
    });
    onWork(units);
    return isValid;
  };
  // The runtime refuses what takes too much work.
  const accepts = (name: string, value: unknown): boolean => decide(name, value) === true;
  const entryOf = oncePer((schema: JsonSchema): ContextSchema => {
    const pointer = `/${addedSchemas}/${added.push(schema) - 1}`;
    const name = copies.nameOf(pointer, direction);
    return {
      name,
      accepts: (value) => accepts(name, value),
      shape: once(() => withNames(shapeOf(schema, pointer, resolve), compiled, copies, direction)),
    };
  });
  /** Returns the violations of a value; undefined if it takes too much work to list them. */
  const find = (
    schema: JsonSchema,
    value: unknown,
    branches: BranchReport,
  ): LocatedViolation[] | undefined => {
    const { name } = entryOf(schema);
    const isAccepted = decide(name, value);
    if (isAccepted !== false) return isAccepted ? [] : undefined;
    const run = new (branches === 'keyword' ? DecidingRun : Run)(
      copies.all,
      knownFormats,
      Number.POSITIVE_INFINITY,
      branches,
    );
    // All violations of a union inside itself are exponentially many, so they get the work of a small value.
    const tooMuch = violationsWithinLimit(branches === 'all' ? undefined : value, () => {
      applySchema({ $ref: name }, value, wholeValue, run, false);
      return [];
    });
    if (tooMuch.length > 0) return undefined;
    if (run.found.length === 0)
      throw new Error(`The schema ${JSON.stringify(copies.all[name])} refuses a value without a violation.`);
    return run.found;
  };
  /** Whether a value matches a branch of a schema. */
  const matchesBranch = ({ schema, at }: LocatedViolation, value: unknown): boolean =>
    isObject(schema) &&
    Array.isArray(schema.oneOf) &&
    schema.oneOf.some((branch) => {
      const run = new Run(copies.all, knownFormats, 1);
      return applySchema(branch, resolvePointer(value, pointerTo(at)), at, run, false).isValid;
    });
  const faultOf = (violation: LocatedViolation, value: unknown): SchemaFault => {
    const { keyword, pointer, message } = violationAt(violation);
    const { schema } = violation;
    const isSelected =
      keyword === 'oneOf' && isObject(schema) && 'discriminator' in schema && matchesBranch(violation, value);
    return { keyword, location: pointer, message, ...(isSelected ? { isSelected } : {}) };
  };
  return {
    document: own,
    resolve,
    known,
    assertTime,
    notes: new Set(),
    isValid: (schema, value) => entryOf(schema).accepts(value),
    acceptsText(schema, value) {
      const entry = entryOf(schema);
      const reading = createReading(accepts);
      const read = withWorkLimit([value], () => readValue(entry.shape(), textSource(value), reading));
      return read !== undefined && reading.problem === undefined && entry.accepts(read);
    },
    acceptsHeader(schema, text, style) {
      const entry = entryOf(schema);
      const plan = { shape: entry.shape(), style };
      return entry.accepts(withWorkLimit([text], () => readHeaderValue(plan, text, accepts)));
    },
    failuresOf: (schema, value) =>
      (find(schema, value, 'all') ?? []).map((violation) => ({
        keyword: violation.keyword,
        within: copies.originOf(violation.schema),
        property: propertyOf(violation),
      })),
    violationsOf(schema, value) {
      const found = find(schema, value, 'keyword') ?? [
        { keyword: 'schema', params: {}, schema, at: wholeValue, location: wholeValue },
      ];
      return distinct(found.map((violation) => faultOf(violation, value)));
    },
  };
}

/**
 * A search that decides at its first violation whether a branch matches. Listing all violations of a union inside itself would
 * take exponential time, and none of them is reported.
 */
class DecidingRun extends Run {
  override branch(): Run {
    return new Run(this.schemas, this.formats, 1, this.branches, true);
  }
}

/** The member of the document with the schemas that are made of parts of it. */
const addedSchemas = 'x-added-schemas';

function distinct(faults: SchemaFault[]): SchemaFault[] {
  return [...new Map(faults.map((fault) => [`${fault.keyword} ${fault.location}`, fault])).values()];
}

/**
 * Returns the texts of a value that is sent as a parameter of any style: one for each item of an array or property of
 * an object. A scalar has the same text as a list of one item.
 */
function textSource(value: unknown): Source {
  const items = Array.isArray(value) ? value.map(textOf) : isObject(value) ? undefined : [textOf(value)];
  return {
    text: () => (items?.length === 1 ? items[0] : undefined),
    items: () => items,
    entries: () =>
      isObject(value)
        ? new Map(Object.entries(value).map(([name, each]) => [name, [each].flat().map(textOf)]))
        : undefined,
    decode: (text) => text,
    repeatsProperties: true,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
