import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { entriesOf, isObject, objectOf } from '../../server/lib/json-object.ts';
import { parseYaml } from '../contract/load/parse-yaml.ts';

/** An event, as `x-events` of a resource's file describes it under its type. */
interface EventSource {
  /** What has happened, as a sentence. */
  summary: string;
  /** When the event is sent. */
  description: string;
  /** What the description of the full form says besides. */
  full?: string;
  /** Its decisions, besides those of all events. */
  'x-decision'?: string[];
  /** The name of the entity's schema, in the same file. */
  data: string;
  /** The full form, without its type. */
  example: { timestamp: string; data: { id: number }; meta: object };
}

interface Event extends EventSource {
  type: string;
  /** The file that describes it. */
  file: string;
  /** The beginning of the names of its definitions. */
  name: string;
}

const reference = (file: string, kind: string, name: string) => ({
  $ref: `${file}#/components/${kind}/${name}`,
});
const own = (kind: string, name: string) => reference('', kind, name);
const ofWebhooks = (kind: string, name: string) => reference('../openapi/webhooks.yaml', kind, name);
const ofAll = (kind: string, name: string) => reference('../openapi/common.yaml', kind, name);

/**
 * Returns an OpenAPI document with the events that the files of a folder describe in `x-events`: each with its request of every
 * method, and the schemas of its full and of its short form.
 * @throws Error that names an event whose description is incomplete
 */
export function eventDocument(folder = 'openapi'): string {
  const events = globSync(`${folder}/*.yaml`).sort().flatMap(eventsIn);
  const all = (part: (event: Event) => object): object => Object.assign({}, ...events.map(part));
  const document = {
    openapi: '3.1.1',
    info: { title: 'Events', version: 'see openapi.yaml' },
    webhooks: all((event) => ({ [event.type]: pathItemOf(event) })),
    components: {
      parameters: all((event) => ({ [`${event.name}Payload`]: payloadOf(event) })),
      requestBodies: all(({ name }) => ({ [`${name}Event`]: requestBodyOf(`${name}Event`) })),
      schemas: all(schemasOf),
      examples: all(({ name, summary, type, example }) => ({
        [`${name}Event`]: { summary, value: { type, ...example } },
      })),
    },
  };
  return yamlOf(document, 2);
}

/** Writes an object as YAML, with its values as JSON below some levels: a line for each request and each definition. */
export const yamlOf = (value: object, levels: number, indent = ''): string =>
  Object.entries(value)
    .map(([name, inner]) =>
      levels > 0 && isObject(inner)
        ? `${indent}${name}:\n${yamlOf(inner, levels - 1, `${indent}  `)}`
        : `${indent}${name}: ${JSON.stringify(inner)}\n`,
    )
    .join('');

const eventsIn = (path: string): Event[] =>
  entriesOf(objectOf(parseYaml(path, readFileSync(path, 'utf8')))['x-events']).map(([type, source]) => {
    if (!isComplete(source))
      throw new Error(
        `${path}: the event ${type} needs summary, description, data, and an example with timestamp, data and meta. Add what is missing.`,
      );
    const name = type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
    return { ...source, type, name, file: `../openapi/${basename(path)}` };
  });

function isComplete(source: unknown): source is EventSource {
  const { summary, description, data, example } = objectOf(source);
  const { timestamp, data: entity, meta } = objectOf(example);
  const texts = [summary, description, data, timestamp];
  return texts.every((text) => typeof text === 'string') && 'id' in objectOf(entity) && isObject(meta);
}

const pathItemOf = (event: Event): object => ({
  parameters: ['EventId', 'EventTimestamp', 'EventSignature', 'EventTraceparent'].map((name) =>
    ofWebhooks('parameters', name),
  ),
  ...Object.fromEntries(
    ['post', 'put', 'get', 'delete'].map((method) => [method, operationOf(event, method)]),
  ),
});

function operationOf(event: Event, method: string): object {
  const { type, name, description, full, 'x-decision': decisions = [] } = event;
  const isFull = method === 'post' || method === 'put';
  const rest = isFull ? full : '`data` contains only the ID.';
  return {
    operationId: `${method}${name}`,
    summary: `${type} (sent as ${method.toUpperCase()})`,
    description: rest === undefined ? description : `${description} ${rest}`,
    tags: ['Events'],
    'x-decision': [...decisions, 'D41', isFull ? 'D42' : 'D43', 'D44', 'D45', 'D46'].sort(),
    security: [],
    ...(isFull
      ? { requestBody: own('requestBodies', `${name}Event`) }
      : { parameters: [own('parameters', `${name}Payload`)] }),
    responses: {
      '2XX': ofWebhooks('responses', 'EventReceived'),
      '410': ofWebhooks('responses', 'EventUnwanted'),
      default: ofWebhooks('responses', 'EventNotReceived'),
    },
  };
}

function payloadOf({ name, type, example: { timestamp, data, meta } }: Event): object {
  const short = { type, timestamp, data: { id: data.id }, meta };
  return {
    name: 'payload',
    in: 'query',
    required: true,
    description: 'The short form of the event, as JSON in base64url without padding.',
    schema: {
      type: 'string',
      minLength: 1,
      contentEncoding: 'base64url',
      contentMediaType: 'application/json',
      contentSchema: own('schemas', `${name}Reference`),
    },
    example: Buffer.from(JSON.stringify(short)).toString('base64url'),
    'x-decision': ['D43'],
  };
}

const requestBodyOf = (name: string): object => ({
  description: 'The event.',
  required: true,
  content: {
    'application/json': {
      schema: own('schemas', name),
      examples: { event: own('examples', name) },
    },
  },
});

function schemasOf({ type, name, summary, file, data }: Event): object {
  const schema = (description: string, decision: string, entity: object) => ({
    type: 'object',
    description,
    'x-decision': [decision],
    required: ['type', 'timestamp', 'data', 'meta'],
    unevaluatedProperties: false,
    properties: {
      type: { type: 'string', const: type, description: 'The type of the event.', examples: [type] },
      timestamp: { ...ofAll('schemas', 'Timestamp'), description: 'When the event happened.' },
      data: entity,
      meta: ofWebhooks('schemas', 'EventMeta'),
    },
  });
  const short = `${summary.replace(/\.$/, '')}: the short form, for requests without a body.`;
  return {
    [`${name}Event`]: schema(summary, 'D42', reference(file, 'schemas', data)),
    [`${name}Reference`]: schema(short, 'D43', ofAll('schemas', 'EntityReference')),
  };
}
