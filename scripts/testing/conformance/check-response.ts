import { documentedType, isJson, mediaTypeIn } from '../../../server/pipeline/media-type.ts';
import type { Operation, Response } from '../requests/operations.ts';
import type { Answer } from '../requests/send.ts';
import { general } from '../schema-values/location.ts';
import type { Schema } from '../schema-values/schema.ts';
import type { World } from '../schema-values/schema-context.ts';
import type { Check, Verdict } from './check-result.ts';
import { parsed } from './error-body.ts';

/** What an operation documents of a status: by itself, by its hundred, or for all others. */
export function responseOf({ responses }: Operation, status: number): Response | undefined {
  return responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
}

/** A header as a plain value, as a list, or as names and values (style `simple`). */
function fitsHeader(world: World, schema: Schema, text: string): boolean {
  const items = text.split(',').map((item) => item.trim());
  const pairs = items.map((item) => item.split('='));
  const flat = Object.fromEntries(
    items.flatMap((name, place) => (place % 2 === 0 ? [[name, items[place + 1]]] : [])),
  );
  return [text, items, Object.fromEntries(pairs), flat].some((value) => world.acceptsText(schema, value));
}

/** Status, media type, headers and body are what the operation documents. */
export function judgeAnswer(
  world: World,
  operation: Operation,
  answer: Answer,
  { complaints, made }: Verdict,
): void {
  const complain = (check: Check, message: string, detail?: string) =>
    complaints.push({ check, message, ...(detail === undefined ? {} : { detail }) });
  const response = responseOf(operation, answer.status);
  made.push('status-documented');
  if (!response) {
    const documented = Object.keys(operation.responses).join(', ');
    complain('status-documented', `${answer.status} is not documented: there are ${documented || 'none'}`);
    return;
  }
  made.push('headers', 'media-type');
  for (const { name, required, schema } of response.headers) {
    // OpenAPI gives its schema to `content`, not to this.
    if (name.toLowerCase() === 'content-type') continue;
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined && required) complain('headers', `${answer.status} has no header ${name}`);
    if (value !== undefined && !fitsHeader(world, schema, value))
      complain(
        'headers',
        `the header ${name} of ${answer.status} does not fit its schema`,
        value.slice(0, 100),
      );
  }
  // The answer to HEAD has the headers of a body, and none.
  if (operation.method !== 'HEAD') judgeBody(world, response, answer, { made, complain });
}

function judgeBody(
  world: World,
  { types }: Response,
  { status, headers, text }: Answer,
  { made, complain }: { made: Check[]; complain: (check: Check, message: string) => void },
): void {
  const sent = headers['content-type'] ?? '';
  const names = types.map(({ mediaType }) => mediaType);
  const type = documentedType(names, mediaTypeIn(sent) ?? '');
  const documented = types.find(({ mediaType }) => mediaType === type);
  if (names.length === 0 && text !== '') complain('media-type', `${status} documents no body, and has one`);
  if (names.length > 0 && !documented)
    complain('media-type', `${status} comes as ${sent || 'nothing'}, documented: ${names.join(', ')}`);
  if (!documented || !isJson(mediaTypeIn(sent) ?? '')) return;
  made.push('body');
  const wrong = whatIsWrong(world, documented.schema, text);
  if (wrong !== undefined) complain('body', `the body of ${status} ${wrong}`);
}

function whatIsWrong(world: World, schema: Schema, text: string): string | undefined {
  const body = parsed(text);
  if (!body) return 'is no JSON';
  const faults = world.faultsOf(schema, body.value);
  const named = new Set(
    faults.map(({ keyword, place }) => `${general(place) || 'the whole of it'} breaks ${keyword}`),
  );
  return faults.length > 0 ? `does not fit its schema: ${[...named].slice(0, 5).join(', ')}` : undefined;
}
