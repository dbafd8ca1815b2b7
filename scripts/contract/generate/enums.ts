import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * Generates constants: the names of the values of enumerations (`x-enum-varnames`), and the types of webhook events.
 * @param document a bundled OpenAPI 3.1 document
 * @returns the source of a module that exports `enumNames` and `eventTypes`
 */
export function generateEnums({ components, webhooks = {} }: OpenApiDocument): string {
  const named = Object.entries(components?.schemas ?? {}).flatMap(([name, schema]) => {
    const { enum: values, 'x-enum-varnames': names }: Record<string, unknown> = { ...schema };
    if (!Array.isArray(values) || !Array.isArray(names)) return [];
    const entries = values.map((value, index) => [String(value), String(names[index] ?? value)]);
    return [
      `  ${name === '__proto__' ? `['__proto__']` : JSON.stringify(name)}: ${JSON.stringify(Object.fromEntries(entries))},`,
    ];
  });
  return [
    '/** The names of the values of enumerations, by schema. */',
    'export const enumNames = {',
    ...named,
    '} as const;',
    '',
    '/** The types of events that webhooks receive. */',
    `export const eventTypes = ${JSON.stringify(Object.keys(webhooks))} as const;`,
    '',
  ].join('\n');
}
