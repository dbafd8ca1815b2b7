/** Returns a document whose schemas refer to three others each, so that all lead to each other. */
export function schemasInCycles(count: number) {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index % count}` });
  const schemaOf = (index: number) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      next: ref(index + 1),
      other: ref(7 * index + 3),
      list: { type: 'array', items: ref(13 * index + 5) },
    },
  });
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`S${index}`, schemaOf(index)]),
  );
  return { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {}, components: { schemas } };
}
