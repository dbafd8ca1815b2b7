import type { ValidateFunction } from 'ajv';
import { createAjv } from '../../../server/lib/create-ajv.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerOf, resolvePointer } from '../../lib/json-pointer.ts';
import { useFormats } from '../../testing/schema-values/formats.ts';
import { subschemasOf } from '../../testing/schema-values/keywords.ts';
import { isSchema } from '../../testing/schema-values/schema.ts';
import { type SchemaLocation, schemaLocationsOf } from '../diff/schema-locations.ts';
import type { Contract } from '../model/contract.ts';

/** An example and its validation errors. */
export interface ValidatedExample {
  /** JSON Pointer to the example, as if each reference were replaced by its target. */
  path: string;
  /** The part of the contract that the example belongs to. */
  where: string;
  /** Empty if the example is valid. */
  problems: string[];
}

interface Shown {
  value: unknown;
  path: string;
}

/**
 * Validates every example of a contract with Ajv: those of bodies, parameters and headers, and those of schemas.
 */
export function validateExamples(contract: Contract): ValidatedExample[] {
  const validators = {
    requests: createValidator(contract.view('request')),
    responses: createValidator(contract.view('response')),
  };
  const found = new Map<string, ValidatedExample>();
  for (const site of schemaLocationsOf(contract)) {
    const validate = validators[site.direction];
    for (const shown of shownAt(contract, site)) {
      const problems = validate(site.pointer, shown.value);
      found.set(`${site.direction} ${site.name} ${shown.path}`, {
        path: shown.path,
        where: site.name,
        problems,
      });
    }
    for (const { value, path, pointer } of ofSchemas(contract, site))
      found.set(`${site.direction} ${pointer}`, {
        path,
        where: `a schema of ${site.name}`,
        problems: validate(pointer.replace(/\/examples?(\/\d+)?$/, ''), value),
      });
  }
  return [...found.values()];
}

/** Returns the values of `example` and `examples` next to a schema. Values for a `contentSchema` are decoded. */
function shownAt({ document, follow }: Contract, { pointer, path }: SchemaLocation): Shown[] {
  const end = /\/schema(\/contentSchema)?$/.exec(pointer)?.[0];
  const around = end === undefined ? undefined : resolvePointer(document, pointer.slice(0, -end.length));
  if (end === undefined || !isObject(around)) return [];
  const way = path.slice(0, -end.length);
  const named = isObject(around.examples) ? Object.entries(around.examples) : [];
  const shown = [
    ...('example' in around ? [{ value: around.example, path: `${way}/example` }] : []),
    ...named.flatMap(([name, given]) => {
      const { node } = follow(given);
      return 'value' in node
        ? [{ value: node.value, path: `${way}/examples/${escapePointer(name)}/value` }]
        : [];
    }),
  ];
  return end === '/schema'
    ? shown
    : shown.map((each) => ({ ...each, value: decoded(around.schema, each.value) }));
}

/**
 * Parses text as JSON. If the schema has a `contentEncoding`, the text is decoded first. Text that is not JSON is
 * returned unchanged, so that its validation fails.
 */
function decoded(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const encoding = isObject(schema) ? schema.contentEncoding : undefined;
  try {
    return JSON.parse(
      typeof encoding === 'string' ? Buffer.from(value, 'base64url').toString('utf8') : value,
    );
  } catch {
    return value;
  }
}

/** Returns the examples inside a schema and its subschemas, following references. Visits each schema once. */
function ofSchemas({ document, resolve }: Contract, site: SchemaLocation): (Shown & { pointer: string })[] {
  const found: (Shown & { pointer: string })[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, pointer: string, path: string): void => {
    if (!isObject(schema) || seen.has(pointer)) return;
    seen.add(pointer);
    if ('example' in schema)
      found.push({ value: schema.example, pointer: `${pointer}/example`, path: `${path}/example` });
    if (Array.isArray(schema.examples))
      for (const [index, value] of schema.examples.entries())
        found.push({ value, pointer: `${pointer}/examples/${index}`, path: `${path}/examples/${index}` });
    for (const { at, schema: inner } of subschemasOf(schema)) {
      const way = at
        .split('/')
        .map((step, index) => (index > 1 ? escapePointer(step) : step))
        .join('/');
      visit(inner, pointer + way, path + way);
    }
    if (typeof schema.$ref === 'string') visit(resolve(schema.$ref), pointerOf(schema.$ref), path);
  };
  visit(resolvePointer(document, site.pointer), site.pointer, site.path);
  return found;
}

/** Creates a function that validates a value against the schema at a pointer. */
function createValidator({ document: read }: Contract): (pointer: string, value: unknown) => string[] {
  const ajv = createAjv({ allErrors: true, strict: false, logger: false });
  useFormats(ajv);
  ajv.addSchema(read, 'contract', undefined, false);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const schema = resolvePointer(read, pointer);
    if (!isSchema(schema)) return [];
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${encodeURI(pointer)}` });
    compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => {
      const extra = params.additionalProperty ?? params.unevaluatedProperty;
      return `${instancePath || 'it'} ${message}${extra === undefined ? '' : ` (${String(extra)})`}`;
    });
  };
}
