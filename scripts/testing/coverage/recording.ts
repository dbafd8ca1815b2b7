import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange, ValidatedResponse } from '../../../server/contract/exchange.ts';
import { isJson, parseMediaType } from '../../../server/contract/media-type.ts';
import { documentedStatus } from '../../../server/contract/validate-response.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { Contract } from '../../contract/model/contract.ts';
import { operationsOf, type TestedOperation } from '../requests/operations.ts';
import { createSchemaContext } from '../schema-values/schema-context.ts';
import { itemsOf, type Observed } from './coverage-items.ts';

export interface CoverageRecorder {
  /** Records what an exchange covers. */
  observe: (exchange: Exchange<unknown>, response: ValidatedResponse) => void;
  /** Names of covered items. */
  reached: Set<string>;
}

/**
 * Creates a recorder for exchanges of a service.
 * @param reached names of covered items, to which the recorder adds
 */
export function createCoverageRecorder({ document }: Contract, reached: Set<string>): CoverageRecorder {
  const context = createSchemaContext(document);
  const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  return {
    reached,
    observe(exchange, response) {
      const operation = operations.get(exchange.operation?.id ?? '');
      const observed = operation && observedIn(operation, exchange, response);
      if (!operation || !observed) return;
      for (const { name } of itemsOf(context, operation, observed)) reached.add(name);
    },
  };
}

/** Returns what an exchange contains. Only requests that passed validation count. */
function observedIn(
  operation: TestedOperation,
  { input, req }: Exchange<unknown>,
  { status, headers, payload }: ValidatedResponse,
): Observed | undefined {
  const key = documentedStatus(operation.responses, status);
  const sent = [...new URLSearchParams(req.url?.split('?')[1] ?? '').keys()];
  const typeOf = (text: string | undefined) => parseMediaType(text ?? '') ?? '';
  const type = typeOf(headers['Content-Type'] ?? headers['content-type']);
  const body = input?.body;
  return {
    valueOf({ in: location, name }) {
      if (location === 'header') return input && req.headers[name.toLowerCase()];
      if (location === 'path') return ownOf(input?.path ?? {}, name);
      const value = location === 'query' ? ownOf(input?.query ?? {}, name) : undefined;
      return isSent(sent, name, value) ? value : undefined;
    },
    request: body === undefined ? undefined : { mediaType: typeOf(req.headers['content-type']), value: body },
    status: key ?? '',
    headerNames: Object.keys(headers).map((name) => name.toLowerCase()),
    response: {
      mediaType: type,
      value: typeof payload === 'string' && isJson(type) ? JSON.parse(payload) : undefined,
    },
  };
}

/** Whether a parameter was sent in the query, not filled in by default. @param sent the names in the query */
const isSent = (sent: readonly string[], name: string, value: unknown): boolean =>
  sent.some((each) => each === name || each.startsWith(`${name}[`) || Object.hasOwn(objectOf(value), each));

/** The folder in which tests record: one file per process and kind. */
export const folder = 'node_modules/.cache/parley/reached';

/** What tests record: the parts of the contract that they cover, and the requests that the service refuses. */
type Kind = 'reached' | 'refused';

/** Deletes the last recording. */
export const beginRecording = (): Promise<void> => rm(folder, { recursive: true, force: true });

const ownName = randomUUID();

/**
 * Writes what this process has recorded so far, in place of what it wrote before. It is synchronous, so that it works
 * when a process ends.
 */
export function saveRecording(kind: Kind, recorded: Iterable<unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ownName}.${kind}`), JSON.stringify([...recorded]));
}

/** Returns what the processes of the last tests recorded. @throws Error if there is no recording, or an empty one */
export async function readRecording<Recorded>(kind: Kind): Promise<Recorded[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(`.${kind}`));
  if (names.length === 0) throw new Error('There is no recording.\n  Run: npm test');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const recorded = texts.flatMap((text): Recorded[] => JSON.parse(text));
  if (recorded.length === 0 && kind === 'reached')
    throw new Error(
      'The tests have recorded no request.\n  Pass observe to the middleware, and call save after the tests.',
    );
  return recorded;
}
