import type { CheckedAnswer, Exchange } from '../../../server/pipeline/exchange.ts';
import { documentedType, mediaTypeIn } from '../../../server/pipeline/media-type.ts';
import { type Operation, operationsOf } from '../requests/operations.ts';
import { canonical } from '../schema-values/schema.ts';
import { createWorld, type World } from '../schema-values/schema-context.ts';
import { examplesIn, partsIn } from './coverage-items.ts';

export interface Observer {
  /** Notes what an exchange has reached. */
  observe: (exchange: Exchange<unknown>, answer: CheckedAnswer) => void;
  /** Names of goals, in no order. */
  reached: Set<string>;
}

/**
 * @param answersCount whether what is answered counts for more than examples: a mock shows nothing of the service
 */
export function createObserver(document: object, reached: Set<string>, answersCount: boolean): Observer {
  const world = createWorld(document);
  const operations = new Map(operationsOf(world).map((operation) => [operation.id, operation]));
  return {
    reached,
    observe(exchange, answer) {
      const operation = operations.get(exchange.operation?.id ?? '');
      if (!operation) return;
      const add = (name: string) => reached.add(`${operation.id} ${name}`);
      if (answersCount) noteRequest(world, operation, exchange, add);
      noteAnswer(world, operation, answer, { add, answersCount });
      if (answersCount) reached.add(operation.id);
    },
  };
}

/** Only what has passed the check: what was refused has not been reached. */
function noteRequest(
  world: World,
  operation: Operation,
  { input, req }: Exchange<unknown>,
  add: (name: string) => void,
): void {
  if (!input) return;
  const sent = new URLSearchParams(req.url?.split('?')[1] ?? '');
  for (const { in: place, name, schema, examples } of operation.parameters) {
    const given = {
      query: sent.has(name) ? input.query[name] : undefined,
      path: input.path[name],
      header: req.headers[name.toLowerCase()],
      cookie: undefined,
    }[place];
    if (given === undefined) continue;
    add(`← ${place}/${name}`);
    for (const part of partsIn(world, schema, given)) add(`← ${place}/${name}${part}`);
    for (const [index, example] of examples.entries())
      if (canonical(example) === canonical(given)) add(`← ${place}/${name} example ${index}`);
  }
  const type = mediaTypeIn(req.headers['content-type'] ?? '') ?? '';
  for (const { mediaType, schema, examples } of input.body === undefined
    ? []
    : (operation.body?.types ?? [])) {
    if (documentedType([mediaType], type) === undefined) continue;
    add(`← ${mediaType}`);
    for (const part of partsIn(world, schema, input.body)) add(`← ${part}`);
    for (const example of examplesIn(examples, input.body, true)) add(`← example ${example}`);
  }
}

function noteAnswer(
  world: World,
  operation: Operation,
  { status, headers, payload }: CheckedAnswer,
  { add, answersCount }: { add: (name: string) => void; answersCount: boolean },
): void {
  const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find(
    (each) => each in operation.responses,
  );
  const documented = key === undefined ? undefined : operation.responses[key];
  if (!documented) return;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (answersCount) add(`→ ${key}`);
  for (const { name } of answersCount ? documented.headers : [])
    if (names.includes(name.toLowerCase())) add(`→ ${key} ${name}`);
  if (typeof payload !== 'string') return;
  for (const { mediaType, schema, examples } of documented.types) {
    const body: unknown = JSON.parse(payload);
    if (answersCount) add(`→ ${key} ${mediaType}`);
    for (const part of answersCount ? partsIn(world, schema, body) : []) add(`→ ${key} ${part}`);
    for (const example of examplesIn(examples, body, false)) add(`→ ${key} example ${example}`);
  }
}
