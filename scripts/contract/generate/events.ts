import { fileURLToPath } from 'node:url';
import { objectOf } from '../../../server/lib/json-object.ts';
import { siblingModule } from '../../lib/sibling-module.ts';
import { bundleModules } from '../compile/bundle-modules.ts';
import { contractModule, emitContract } from '../compile/emit-contract.ts';
import { createSchemaCopies } from '../compile/schema-copies.ts';
import { createSchemaFunctions } from '../compile/schema-functions.ts';
import type { Contract } from '../model/contract.ts';
import { hasMarkedProperties } from './read-write-types.ts';

const forms = ['full', 'short'] as const;

/** An event type with the name of its schema in `components.schemas`. */
interface EventSchema {
  type: string;
  /** Where a request carries the event: `full` in the body, or `short` in the query if it has no body (D43). */
  form: (typeof forms)[number];
  schema: string;
}

/**
 * Generates event types and functions that validate events, for webhook receivers. Only events whose schema is in
 * `components.schemas` are included. Without any, the result is empty.
 * @returns the sources of a module and its types, by file name
 * @throws Error if a schema cannot be compiled
 */
export async function generateEventModule(contract: Contract): Promise<Record<string, string>> {
  // Receivers accept what later versions may add.
  const { webhooks, document } = contract.view('reader');
  const events = eventsOf(webhooks);
  if (events.length === 0) return {};
  const copies = createSchemaCopies(document);
  const table = Object.fromEntries(
    forms.map((form) => [
      form,
      Object.fromEntries(
        ofForm(events, form).map(({ type, schema }) => [
          type,
          copies.nameOf(`/components/schemas/${schema}`, 'response'),
        ]),
      ),
    ]),
  );
  const entry = [
    `import { createSchemaChecks, violationsWithinLimit } from '#schema-checks';`,
    `import { contract } from '${contractModule}';`,
    'const checks = createSchemaChecks(contract);',
    'const validatorsOf = (names) =>',
    '  Object.fromEntries(Object.entries(names).map(([type, name]) => [type, (event) => violationsWithinLimit(event, () => checks.violationsOf(name, event))]));',
    `const { full, short } = JSON.parse(${JSON.stringify(JSON.stringify(table))});`,
    'export const validators = { full: validatorsOf(full), short: validatorsOf(short) };',
  ].join('\n');
  const { code } = await bundleModules(
    {
      ...emitContract({ schemas: copies.all, functions: createSchemaFunctions(copies) }),
      '#events': entry,
    },
    {
      entry: '#events',
      files: {
        '#schema-checks': fileURLToPath(
          siblingModule('../../../server/contract/schema-checks', import.meta.url),
        ),
      },
      minify: false,
    },
  );
  return { 'events.d.ts': typesOf(events, hasMarkedProperties(contract.document)), 'events.js': code };
}

function eventsOf(webhooks: Contract['webhooks']): EventSchema[] {
  const found = new Map<string, EventSchema>();
  const add = (type: string, form: EventSchema['form'], given: unknown) => {
    const [, schema] = /^#\/components\/schemas\/([^/]+)$/.exec(String(objectOf(given).$ref)) ?? [];
    if (schema) found.set(`${form} ${type}`, { type, form, schema });
  };
  for (const { path: type, body, parameters } of webhooks) {
    add(type, 'full', body?.content.find(({ mediaType }) => mediaType === 'application/json')?.schema);
    for (const { in: location, schema } of parameters)
      if (location === 'query') add(type, 'short', objectOf(schema).contentSchema);
  }
  return [...found.values()];
}

const ofForm = (events: EventSchema[], form: EventSchema['form']) =>
  events.filter((event) => event.form === form);

/** @param isMarked whether the contract has write-only properties, which events do not have */
function typesOf(events: EventSchema[], isMarked: boolean): string {
  const typeOf = (schema: string) => {
    const type = `components["schemas"][${JSON.stringify(schema)}]`;
    return isMarked ? `Readable<${type}>` : type;
  };
  const table = (form: EventSchema['form']) => [
    `export interface ${form === 'full' ? 'FullEvents' : 'ShortEvents'} {`,
    ...ofForm(events, form).map(({ type, schema }) => `  ${JSON.stringify(type)}: ${typeOf(schema)};`),
    '}',
    '',
  ];
  return [
    `import type { components${isMarked ? ', Readable' : ''} } from "./types.js";`,
    '',
    '/** Events in a request body, by type. */',
    ...table('full'),
    '/** Events in a query, by type. */',
    ...table('short'),
    '/** Returns the violations of an event, with JSON Pointers into it; empty if the event is valid. */',
    'type Validate = (event: unknown) => readonly { pointer: string; message: string }[];',
    '',
    'export declare const validators: Readonly<Record<"full" | "short", Readonly<Record<string, Validate>>>>;',
    '',
  ].join('\n');
}
