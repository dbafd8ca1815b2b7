import { createRequire } from 'node:module';
import { join } from 'node:path';
import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { rolldown } from 'rolldown';
import { formats } from '../../../server/lib/formats.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/** In a body, or, where the call has none, in the query (D43). */
export type EventForm = 'full' | 'short';

/** An event's schema under `components.schemas`. */
export interface EventSchema {
  type: string;
  form: EventForm;
  schema: string;
}

export const ofForm = (events: EventSchema[], form: EventForm) =>
  events.filter((event) => event.form === form);

/**
 * Functions that check events, in one module without imports: what Ajv and our formats need at run time is put into it.
 * @throws Error where a schema cannot be compiled
 */
export async function generateValidators(
  { components }: OpenApiDocument,
  events: EventSchema[],
): Promise<string> {
  const ajv = new Ajv2020({
    strict: false,
    // One function for each schema, not one for each place where it stands.
    inlineRefs: false,
    formats,
    code: { source: true, esm: true, formats: codeOfFormats },
  });
  ajv.addSchema({ $id: 'contract', components: opened(components) });
  const nameOf = ({ form, schema }: EventSchema) => `${form}_${schema}`.replaceAll(/\W/g, '_');
  const code = standalone.default(
    ajv,
    Object.fromEntries(
      events.map((event) => [nameOf(event), `contract#/components/schemas/${event.schema}`]),
    ),
  );
  const table = (form: EventForm) =>
    ofForm(events, form).map((event) => `${JSON.stringify(event.type)}: ${nameOf(event)},`);
  const entry = [
    code,
    'export const validators = {',
    ...(['full', 'short'] as const).flatMap((form) => [`${form}: {`, ...table(form), '},']),
    '};',
  ].join('\n');
  return await bundled(entry);
}

/** What says nothing of whether a value fits. */
const isAnnotation = (keyword: string): boolean =>
  ['description', 'examples', 'example', 'title'].includes(keyword) || keyword.startsWith('x-');

/**
 * A receiver must not break when an event learns a new property: that is no breaking change of what is sent, so
 * closed objects are opened.
 */
function opened(components: OpenApiDocument['components']): object {
  const { schemas = {} } = components ?? {};
  const open = (value: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((inner) => open(inner, true));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(
      ([name, inner]) => !isSchema || !(isAnnotation(name) || (isClosing(name) && inner === false)),
    );
    // Under these, names are the contract's own and no keywords.
    return Object.fromEntries(
      kept.map(([name, inner]) => [
        name,
        open(inner, !['properties', '$defs', 'patternProperties', 'dependentSchemas'].includes(name)),
      ]),
    );
  };
  return { schemas: open(schemas, false) };
}

const isClosing = (keyword: string): boolean =>
  ['unevaluatedProperties', 'additionalProperties'].includes(keyword);

const entryName = 'events';
const formatsName = 'formats';
const codeOfFormats = _`require(${formatsName}).formats`;

async function bundled(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: entryName,
    platform: 'neutral',
    logLevel: 'silent',
    plugins: [
      {
        name: 'sources',
        resolveId: (id) => {
          if (id === entryName) return `\0${entryName}`;
          if (id === formatsName) return join(import.meta.dirname, '../../../server/lib/formats.ts');
          return id.startsWith('ajv/') ? createRequire(import.meta.url).resolve(id) : null;
        },
        load: (id) => (id === `\0${entryName}` ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'es',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
  await bundle.close();
  return output[0].code;
}
