import { readFileSync } from 'node:fs';
import { bundleModules } from '../../../../scripts/contract/compile/bundle-modules.ts';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { contractModule, emitContract } from '../../../../scripts/contract/compile/emit-contract.ts';
import { isObject } from '../../../../server/lib/json-object.ts';

interface Group {
  file: string;
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/** Groups with these keywords are refused with an error that names the reference or the keyword. */
const refused: Record<string, RegExp> = {
  'references lead to parts of the bundled document only': /"\$ref":"(?!#["/])/,
  'identifiers do not change where a reference leads': /"\$id":/,
  'dynamic references are not supported': /"\$dynamicRef":/,
};

/** Tests whose verdict differs, by the reason. */
const exceptions: Record<string, readonly string[]> = {
  'vocabularies of other meta-schemas are ignored': [
    'schema that uses custom metaschema with with no validation vocabulary',
  ],
};
export const isException = (description: string) => Object.values(exceptions).flat().includes(description);

// The first line states the source and its license. Each other line is a group.
const [, ...lines] = readFileSync(new URL('json-schema-suite.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
export const groups = lines.map((line, index) => {
  const group: Group = JSON.parse(line);
  return { ...group, name: `${group.file}-${index}` };
});
export const isRefused = ({ schema }: { schema: unknown }) =>
  Object.values(refused).some((pattern) => pattern.test(JSON.stringify(schema)));
/** The groups that are not refused. */
export const supported = groups.filter((group) => !isRefused(group));

/** Makes the references of a schema lead to where it is in the contract. */
function rebased(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => rebased(each, base));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === '$ref' && typeof value === 'string') return [key, base + value.slice(1)];
    return [key, key === 'enum' || key === 'const' ? value : rebased(value, base)];
  });
  return Object.fromEntries(entries);
}

const indexOf = (name: string) => supported.findIndex((group) => group.name === name);
const pointerOf = (name: string) => `/components/schemas/${name}`;
const document = {
  openapi: '3.1.1',
  paths: {
    '/': {
      get: {
        operationId: 'all',
        responses: Object.fromEntries(
          supported.map(({ name }, index) => [
            String(200 + index),
            {
              description: name,
              content: { 'application/json': { schema: { $ref: `#${pointerOf(name)}` } } },
            },
          ]),
        ),
      },
    },
  },
  components: {
    schemas: Object.fromEntries(
      supported.map(({ name, schema }) => [name, rebased(schema, `#${pointerOf(name)}`)]),
    ),
  },
};
/** A contract with the schemas of these groups, compiled in memory. */
export const inMemory = compileContract(document as never);

/** Returns the source of the same contract as a module. */
export const emittedSource = async (): Promise<string> =>
  (await bundleModules(emitContract(inMemory), { entry: contractModule, minify: false })).code;

/** Returns the name of the compiled schema of a group. */
export function schemaOf(name: string): string {
  const content = inMemory.operations[0]?.responses[String(200 + indexOf(name))]?.content;
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`There is no group ${name}.`);
  return schema;
}
