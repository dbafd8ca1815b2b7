import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject, objectOf } from '../../server/lib/json-object.ts';
import { parseYaml } from '../contract/load/parse-yaml.ts';
import { yamlOf } from './event-document.ts';

/** A resource, as `x-resource` of its file describes it. */
interface Resource {
  /** In the singular, such as `contact`. */
  name: string;
  /** The ID of the object in most examples. */
  example: number;
  /** An ID that no object has. */
  missing: number;
  /** An ID before the example, after which a list continues. */
  after?: number;
  /** The number by which webhooks select its events. */
  entity?: number;
  /** The path and query of the first page, if it is not that of a list without filters. */
  firstPage?: string;
}

/**
 * Returns an OpenAPI document with the definitions that all resources have, for the files of a folder that describe a resource
 * in `x-resource`: those that the file refers to.
 * @throws Error that names a file whose description is incomplete
 */
export function resourceDocument(folder = 'openapi'): string {
  const components: Record<string, Record<string, object>> = {};
  const entities: Entity[] = [];
  for (const path of globSync(`${folder}/*.yaml`).sort()) {
    const text = readFileSync(path, 'utf8');
    const { info, 'x-resource': resource, 'x-events': events } = objectOf(parseYaml(path, text));
    if (resource === undefined && events === undefined) continue;
    if (!isComplete(resource))
      throw new Error(`${path}: x-resource needs name, example and missing. Add what is missing.`);
    const { name, entity } = resource;
    if ((events !== undefined && entity === undefined) || entities.some(({ id }) => id === entity))
      throw new Error(
        `${path}: the events of ${name} need a number that no other file has. Add it to x-resource, such as entity: 6.`,
      );
    if (entity !== undefined)
      entities.push({
        ...{ id: entity, name, scope: `${basename(path, '.yaml')}:read` },
        title: String(objectOf(info).title).toLowerCase(),
      });
    const parts = partsOf(resource, basename(path, '.yaml'));
    const used = new Set(text.match(/(?<=\/resources\.yaml#\/components\/)\w+\/\w+/g));
    // The set grows by what its parts refer to.
    for (const pointer of used) {
      const [kind = '', name = ''] = pointer.split('/');
      const part = parts[pointer];
      if (!part) continue;
      components[kind] = { ...components[kind], [name]: part };
      for (const [inner] of JSON.stringify(part).matchAll(/(?<="#\/components\/)\w+\/\w+/g)) used.add(inner);
    }
  }
  if (entities.length > 0) components.schemas = { WebhookEntityId: entitySchema(entities) };
  const info = { title: 'Definitions that all resources have', version: 'see openapi.yaml' };
  return yamlOf({ openapi: '3.1.1', info, components }, 2);
}

/** A kind of objects that events are about. */
interface Entity {
  id: number;
  name: string;
  /** In the plural, such as `custom fields`. */
  title: string;
  /** The scope that permits reading it. */
  scope: string;
}

function entitySchema(entities: readonly Entity[]): object {
  const sorted = entities.toSorted((one, other) => one.id - other.id);
  return {
    type: 'integer',
    enum: sorted.map(({ id }) => id),
    'x-enum-varnames': sorted.map(({ name }) => name),
    description: `The kind of entity that the events are about: ${sorted.map(({ id, title }) => `${id} ${title}`).join(', ')}.`,
    'x-decision': ['D41'],
    examples: [2],
    'x-conditional-scopes': sorted.map(({ scope, title }) => ({
      scope,
      when: `the webhook subscribes to ${title}`,
    })),
  };
}

function isComplete(source: unknown): source is Resource {
  if (!isObject(source)) return false;
  return typeof source.name === 'string' && Number(source.example) > 0 && Number(source.missing) > 0;
}

const own = (pointer: string) => ({ $ref: `#/components/${pointer}` });
const common = (pointer: string) => ({ $ref: `../openapi/common.yaml#/components/${pointer}` });

/** Returns the definitions of a resource by kind and name. @param plural the name of its file and of its paths */
function partsOf(
  { name, example, missing, after = example - 1, firstPage }: Resource,
  plural: string,
): Record<string, object> {
  const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
  const [one, many] = [capitalized(name), capitalized(plural)];
  const path = `/api/v1/${plural}`;
  const page = firstPage ?? `${path}?page=0&per_page=20&order=asc`;
  const first = `<${page}>; rel="first"`;
  const next = `<${page.replace('page=0', 'page=1')}&after=${example}>; rel="next"`;
  const idSchema = { ...common('schemas/Id'), 'x-id-of': name };
  return {
    [`parameters/After${one}`]: {
      name: 'after',
      in: 'query',
      description: `Continues the list after the ${name} with this ID, and ignores \`page\`. The \`next\` link contains it: the last ID of this page.`,
      schema: idSchema,
      example: after,
      'x-decision': ['D01', 'D20'],
    },
    [`parameters/${one}Id`]: {
      name: 'id',
      in: 'path',
      required: true,
      description: `The ID of the ${name}.`,
      schema: idSchema,
      example,
      'x-decision': ['D01'],
    },
    [`parameters/${one}IdempotencyKey`]: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A unique key that makes this create request safe to retry. For 72 hours, a request of the same user with the same key and body returns the stored response and creates nothing. Use a new key for another body, operation or user.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]*$' },
      example: `order-88213-${name}`,
      'x-decision': ['D34'],
      'x-rules': [
        {
          fields: ['header/Idempotency-Key'],
          rule: 'An `Idempotency-Key` must not be reused for another operation, body or user.',
          code: 42202,
          stored: true,
        },
      ],
    },
    [`responses/${one}Created`]: {
      description: `The ${name} was created.`,
      'x-decision': ['D23'],
      headers: { Location: own(`headers/${one}Location`) },
      content: {
        'application/json': {
          schema: common('schemas/Created'),
          examples: { created: own(`examples/Created${one}${example}`) },
        },
      },
    },
    [`responses/${one}NotFound`]: {
      description: `The ${name} does not exist in the company of this token.`,
      'x-decision': ['D28'],
      content: { 'application/json': { examples: { noSuchResource: own(`examples/No${one}`) } } },
    },
    [`headers/${one}Location`]: {
      description: `The path of the new ${name}.`,
      required: true,
      schema: { type: 'string', pattern: '^/api/v1/' },
      example: `${path}/${example}`,
      'x-decision': ['D23'],
    },
    [`headers/${many}Link`]: {
      description:
        'Links to the first, previous and next page (RFC 8288), relative to this service. The last page has no `next` link, and the others continue with `after`.',
      required: true,
      schema: { type: 'string' },
      // The mock server sends the first example, so that clients that follow links come to an end.
      examples: { onlyPage: { value: first }, firstOfTwo: { value: `${first}, ${next}` } },
      'x-decision': ['D20'],
    },
    [`examples/Created${one}${example}`]: {
      summary: `The new ${name} has the ID ${example}.`,
      value: { id: example },
    },
    [`examples/No${one}`]: {
      summary: `The ${name} does not exist.`,
      value: { code: 40401, message: `There is no ${name} ${missing}.`, fields: 'path/id' },
    },
  };
}
