import { objectOf } from '../../../server/lib/json-object.ts';
import type { Contract } from '../model/contract.ts';
import { type EventForm, type EventSchema, generateValidators, ofForm } from './validators.ts';

/**
 * Generates event types and functions that validate events, for webhook receivers. Only events whose schema is in
 * `components.schemas` are included. If there are none, the result is empty.
 * @returns the sources of a module and its types, by file name
 * @throws Error if a schema cannot be compiled
 */
export async function generateEventModule(contract: Contract): Promise<Record<string, string>> {
  const events = eventsOf(contract);
  if (events.length === 0) return {};
  return { 'events.d.ts': typesOf(events), 'events.js': await generateValidators(contract.document, events) };
}

function eventsOf({ webhooks }: Contract): EventSchema[] {
  const found = new Map<string, EventSchema>();
  const add = (type: string, form: EventForm, given: unknown) => {
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

function typesOf(events: EventSchema[]): string {
  const table = (form: EventForm) => [
    `export interface ${form === 'full' ? 'FullEvents' : 'ShortEvents'} {`,
    ...ofForm(events, form).map(
      ({ type, schema }) => `  ${JSON.stringify(type)}: components["schemas"][${JSON.stringify(schema)}];`,
    ),
    '}',
    '',
  ];
  return [
    'import type { components } from "./types.js";',
    '',
    '/** Events in a request body, by type. */',
    ...table('full'),
    '/** Events in a query, by type. */',
    ...table('short'),
    'interface Reported {',
    '  keyword: string;',
    '  /** JSON Pointer into the event. */',
    '  instancePath: string;',
    '  params: Readonly<Record<string, unknown>>;',
    '}',
    '',
    'interface Validate {',
    '  (event: unknown): boolean;',
    '  /** The errors of the last call. */',
    '  errors?: null | Reported[];',
    '}',
    '',
    '/** Locates and words an error. */',
    'export declare const violationOf: (reported: Reported) => { pointer: string; message: string };',
    '',
    'export declare const validators: Readonly<Record<"full" | "short", Readonly<Record<string, Validate>>>>;',
    '',
  ].join('\n');
}
