import {
  dereferenceShared,
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
} from '../../lib/openapi-document.ts';
import { type EventForm, type EventSchema, generateValidators, ofForm } from './validators.ts';

/**
 * Generates event types and functions that validate events, for webhook receivers. Only events whose schema is in
 * `components.schemas` are included. If there are none, the result is empty.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the sources of a module and its types, by file name
 * @throws Error if a schema cannot be compiled
 */
export async function generateEventModule(document: OpenApiDocument): Promise<Record<string, string>> {
  const events = eventsOf(document);
  if (events.length === 0) return {};
  return { 'events.d.ts': typesOf(events), 'events.js': await generateValidators(document, events) };
}

function eventsOf({ webhooks = {}, components = {} }: OpenApiDocument): EventSchema[] {
  const found = new Map<string, EventSchema>();
  const add = (type: string, form: EventForm, ref: string | undefined) => {
    const [, schema] = /^#\/components\/schemas\/([^/]+)$/.exec(ref ?? '') ?? [];
    if (schema) found.set(`${form} ${type}`, { type, form, schema });
  };
  for (const [type, item] of Object.entries(webhooks))
    for (const method of httpMethods) {
      const { requestBody, parameters = [] }: OperationObject = item[method] ?? {};
      const body = requestBody && dereferenceShared<RequestBodyObject>(components.requestBodies, requestBody);
      add(type, 'full', body?.content?.['application/json']?.schema?.$ref);
      for (const given of parameters) {
        const parameter = dereferenceShared<ParameterObject>(components.parameters, given);
        if (parameter.in === 'query') add(type, 'short', parameter.schema?.contentSchema?.$ref);
      }
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
    'interface Validate {',
    '  (event: unknown): boolean;',
    '  /** The errors of the last call, with JSON Pointers into the event. */',
    '  errors?: null | { instancePath: string; message?: string }[];',
    '}',
    '',
    'export declare const validators: Readonly<Record<"full" | "short", Readonly<Record<string, Validate>>>>;',
    '',
  ].join('\n');
}
