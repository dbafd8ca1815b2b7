import '@hyperjump/json-schema/formats';
import { globSync } from 'node:fs';
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/draft-2020-12';
import { addFormat, setFormatHandler } from '@hyperjump/json-schema/experimental';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ContractInMemory,
  compileContract,
} from '../../../../scripts/contract/compile/compile-contract.ts';
import type { Direction } from '../../../../scripts/contract/compile/schema-copies.ts';
import { createSchemaFunctions } from '../../../../scripts/contract/compile/schema-functions.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import type { Contract } from '../../../../scripts/contract/model/contract.ts';
import type { SchemaUse } from '../../../../scripts/contract/model/operation.ts';
import { tryGenerate } from '../../../../scripts/testing/schema-values/arbitrary.ts';
import { boundaryValuesOf } from '../../../../scripts/testing/schema-values/boundary-values.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valueLocationsOf } from '../../../../scripts/testing/schema-values/value-locations.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { violationGenerators } from '../../../../scripts/testing/schema-values/violations.ts';
import type { Decide } from '../../../../server/contract/compiled-contract.ts';
import { isObject } from '../../../../server/lib/json-object.ts';
import { isLong, sampleCount, seed } from '../../../support/sampling.ts';

/** Documents of the usual run. The long run has all that our tools can load. */
const few = [
  '2.0/json/petstore.json',
  '3.0/json/callbacks.json',
  '3.0/json/complex-nesting.json',
  '3.0/json/discriminators.json',
  '3.0/json/petstore-expanded.json',
  '3.0/json/polymorphism.json',
  '3.0/json/schema-circular.json',
  '3.0/json/schema-types.json',
  '3.0/json/schema-validation.json',
  '3.1/json/petstore.json',
  '3.1/json/schema-types.json',
  '3.1/json/train-travel.json',
].map((name) => `node_modules/@readme/oas-examples/${name}`);
const documents = [
  ...(isLong
    ? [
        'openapi/openapi.yaml',
        ...globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json').sort(),
      ]
    : few),
  'test/scripts/contract/generate/contracts/weather.yaml',
];

const dialect = 'https://json-schema.org/draft/2020-12/schema';
const formatKeyword = 'https://json-schema.org/keyword/draft-2020-12/format';

const variable = /(?:[\w.]|%[\da-f]{2})+(?::[1-9]\d{0,3}|\*)?/.source;
const uriTemplate = new RegExp(
  `^(?:[^\\0- "'%<>\\\\^\`{|}\x7f-\x9f]|%[\\da-f]{2}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  'iu',
);

/** Formats that JSON Schema does not define, so that the other implementation has none, and what they mean. */
const furtherFormats: Readonly<Record<string, (value: unknown) => boolean>> = {
  // OpenAPI Format Registry.
  int32: (value) => typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31),
  // The largest one, 2^63 - 1, becomes 2^63 when JSON is parsed.
  int64: (value) => typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value) <= 2 ** 63),
  // RFC 6570, section 2. The other implementation refuses brackets in literals.
  'uri-template': (value) => typeof value !== 'string' || uriTemplate.test(value),
  // RFC 4648, section 4. Bits that are no part of a byte can have any value (section 3.5).
  byte: (value) =>
    typeof value !== 'string' || (/^\S*$/.test(value) && value.length % 4 === 0 && isDecodable(value)),
};
const isDecodable = (value: string) => tryGenerate(() => atob(value)) !== undefined;
/** A format of ajv-formats that documents use for absolute URLs, as JSON Schema's `uri`. */
const sameFormats = { url: 'https://json-schema.org/format/uri' };

beforeAll(() => {
  setShouldValidateFormat(true);
  for (const [name, handler] of Object.entries(furtherFormats)) {
    addFormat({ id: `https://formats.test/${name}`, handler });
    setFormatHandler(formatKeyword, name, `https://formats.test/${name}`);
  }
  for (const [name, id] of Object.entries(sameFormats)) setFormatHandler(formatKeyword, name, id);
  // It would fetch a schema that it does not know.
  vi.stubGlobal('fetch', () => expect.fail('The other implementation sent a request.'));
});
afterAll(() => vi.unstubAllGlobals());

/** A schema of a contract: where it stands, and the name of its compiled function. */
interface CheckedSchema extends SchemaUse {
  direction: Direction;
  name: string;
}

/** Returns the schemas of bodies and parameters, each once. */
function checkedSchemas(contract: Contract, { operations }: ContractInMemory): CheckedSchema[] {
  const plans = new Map(operations.map((plan) => [plan.id, plan]));
  const found = new Map<string, CheckedSchema>();
  const add = (use: SchemaUse | undefined, direction: Direction, name: string | undefined) => {
    if (use?.schemaPointer !== undefined && name !== undefined)
      found.set(`${direction} ${name}`, { ...use, direction, name });
  };
  for (const { id, parameters, body, responses } of contract.operations) {
    const plan = plans.get(id) ?? expect.fail(id);
    const { path, query, headers, cookies } = plan.parameters;
    for (const { in: location, name, check } of [path, query.parameters, headers, cookies].flat())
      add(
        parameters.find((each) => each.in === location && each.name === name),
        'request',
        check,
      );
    for (const use of body?.content ?? []) add(use, 'request', plan.body?.content[use.mediaType]?.schema);
    for (const [status, { content }] of Object.entries(responses))
      for (const use of content) add(use, 'response', plan.responses[status]?.content[use.mediaType]?.schema);
  }
  return [...found.values()];
}

/**
 * Returns values that should be valid, or that should violate one keyword, with and without read-only and write-only
 * properties. Our functions have not filtered the latter, so that what they accept by mistake is there, too.
 */
function valuesFor(context: SchemaContext, { schema }: CheckedSchema): unknown[] {
  const sample = (make: () => fc.Arbitrary<unknown>, numRuns: number): unknown[] =>
    tryGenerate(() => fc.sample(make(), { numRuns, seed })) ?? [];
  const sites = tryGenerate(() => valueLocationsOf(context, schema)) ?? [];
  return [
    ...sample(() => valuesOf(context, [schema]), sampleCount(3)),
    ...sites.flatMap((site) =>
      (tryGenerate(() => violationGenerators(context, site.alternative)) ?? []).flatMap(({ values }) =>
        sample(() => site.whole(values), sampleCount(1)),
      ),
    ),
    ...(tryGenerate(() => boundaryValuesOf(context, schema).values) ?? []).map(({ value }) => value),
  ].filter((value) => (JSON.stringify(value)?.length ?? 0) < maxLength);
}

/** Maximum length of a value as JSON, so that boundary values of large limits do not take all the time. */
const maxLength = 20_000;

/** Reasons why we refuse a value that the other implementation accepts, each with what accepts it if that is the reason. */
const reasons: Readonly<Record<string, (contract: ContractInMemory, name: string) => Decide>> = {
  // OpenAPI 3.1.1, section 4.8.25: if a value selects no schema, validation should fail. JSON Schema has no such keyword.
  'a discriminator selects no branch, or another one': ({ schemas }, name) => {
    const without = Object.fromEntries(
      Object.entries(schemas).map(([each, schema]) => [each, withoutDiscriminators(schema)]),
    );
    const copies = { all: without, names: Object.keys(without), locationOf: () => '' };
    return createSchemaFunctions(copies).deciderOf(name);
  },
};
function withoutDiscriminators<Node>(node: Node): Node {
  return JSON.parse(
    JSON.stringify(node, (key, value) =>
      key === 'discriminator' && isObject(value) && isObject(value.branches) ? undefined : value,
    ),
  );
}

let compared = 0;

/** Compares the verdicts on values of a document's schemas. @returns the reasons of differences, and all verdicts */
async function compare(contract: Contract) {
  compared += 1;
  const base = `https://contract.test/${compared}`;
  for (const direction of ['request', 'response'] as const) {
    const { document } = contract.view(direction, 'forbidden');
    registerSchema(JSON.parse(JSON.stringify(document)), `${base}/${direction}`, dialect);
  }
  const compiled = compileContract(contract.document);
  const context = createSchemaContext(contract.document);
  const found = { valid: 0, invalid: 0, reasons: new Set<string>() };
  for (const checked of checkedSchemas(contract, compiled)) {
    const { direction, schemaPointer = '', name } = checked;
    const theirs = await validate(`${base}/${direction}#${encodeURI(schemaPointer)}`);
    const ours = compiled.deciderOf(name);
    for (const value of valuesFor(context, checked)) {
      const isValid = theirs(JSON.parse(JSON.stringify(value))).valid;
      found[isValid ? 'valid' : 'invalid'] += 1;
      if (ours(value) === isValid) continue;
      const reason = Object.keys(reasons).find((each) => isValid && reasons[each]?.(compiled, name)(value));
      expect(
        reason,
        `${direction} ${schemaPointer}: ${JSON.stringify(value)} is valid: ${isValid}`,
      ).toBeDefined();
      found.reasons.add(String(reason));
    }
  }
  return found;
}

test.each(documents)(
  'an implementation that is not Ajv has the same verdicts on values for %s',
  async (file) => {
    const isSelected = few.includes(file);
    const contract = await loadContract(file).catch((error: unknown) => {
      // Some of all the documents are meant to be invalid.
      if (isSelected) throw error;
    });
    if (!contract) return;
    const { valid, invalid } = await compare(contract);
    if (isSelected) expect(Math.min(valid, invalid)).toBeGreaterThan(0);
  },
);

test('every reason for a difference occurs', async () => {
  const contract = await loadContract('node_modules/@readme/oas-examples/3.0/json/discriminators.json');
  expect([...(await compare(contract)).reasons]).toEqual(Object.keys(reasons));
});
