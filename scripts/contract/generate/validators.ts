import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { rolldown } from 'rolldown';
import { runtimeModule } from '../../../server/lib/ajv-runtime.ts';
import { createAjv } from '../../../server/lib/create-ajv.ts';
import { formats } from '../../../server/lib/formats.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { siblingModule } from '../../lib/sibling-module.ts';

/** Where a webhook request carries the event: `full` in the body, or `short` in the query if it has no body (D43). */
export type EventForm = 'full' | 'short';

/** An event type with the name of its schema in `components.schemas`. */
export interface EventSchema {
  type: string;
  form: EventForm;
  schema: string;
}

export const ofForm = (events: EventSchema[], form: EventForm) =>
  events.filter((event) => event.form === form);

/**
 * Generates functions that validate events, in one module without imports.
 * @throws Error if a schema cannot be compiled
 */
export async function generateValidators(
  { components }: OpenApiDocument,
  events: EventSchema[],
): Promise<string> {
  const ajv = createAjv({
    strict: false,
    // One function per schema, rather than one per reference.
    inlineRefs: false,
    // `violationOf` words the errors.
    messages: false,
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
    ofForm(events, form).map((event) => `[${JSON.stringify(event.type)}]: ${nameOf(event)},`);
  const entry = [
    code,
    'export const validators = {',
    ...(['full', 'short'] as const).flatMap((form) => [`${form}: {`, ...table(form), '},']),
    '};',
    `export { violationOf } from '${violationName}';`,
  ].join('\n');
  return await bundled(entry);
}

/** Whether a keyword does not affect validation. */
const isAnnotation = (keyword: string): boolean =>
  ['description', 'examples', 'example', 'title'].includes(keyword) || keyword.startsWith('x-');

/**
 * Allows what later versions may add without breaking receivers: unknown properties in closed objects, and unknown
 * values of open enumerations. Also removes annotations.
 */
function opened(components: OpenApiDocument['components']): object {
  const { schemas = {} } = components ?? {};
  const open = (value: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((inner) => open(inner, true));
    if (typeof value !== 'object' || value === null) return value;
    const isOpenEnum = 'x-open-enum' in value && value['x-open-enum'] === true;
    const kept = Object.entries(value).filter(
      ([name, inner]) =>
        !isSchema ||
        !(isAnnotation(name) || (isClosing(name) && inner === false) || (isOpenEnum && name === 'enum')),
    );
    // The keys in these maps are names, not keywords.
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
const violationName = 'violation';
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
          if (id === formatsName)
            return fileURLToPath(siblingModule('../../../server/lib/formats', import.meta.url));
          if (id === violationName)
            return fileURLToPath(siblingModule('../../../server/lib/violation', import.meta.url));
          if (id === runtimeModule)
            return fileURLToPath(siblingModule('../../../server/lib/ajv-runtime', import.meta.url));
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
