import { ApiError } from '../../../../server/contract/errors.ts';
import type { ApiReply } from '../../../support/http.ts';
import type { EntityType } from '../../own-contract/valid-requests.ts';
import { createRandomInput } from './random-input.ts';
import { randomOperatorCommands } from './random-operator-commands.ts';
import { randomRequests } from './random-requests.ts';
import { type EngineTarget, withNames } from './targets.ts';

/** One call of the comparison. Its result omits everything in which two correct services may differ. */
export type ParityCall = { what: string; on: (side: EngineTarget) => Promise<unknown> };

const headers = [
  'link',
  'location',
  'x-total-count',
  'preference-applied',
  'x-truncated-conversations',
  'retry-after',
  'allow',
  'content-type',
  'www-authenticate',
  'content-length',
];

/**
 * Generates valid and invalid calls that depend on each other. Later calls change, find, list and delete objects that
 * earlier calls created, reuse idempotency keys and unique values, and send outdated ETags.
 */
export function randomCalls(seed: number, count: number): ParityCall[] {
  const chance = createRandomInput(seed);
  const [requests, works] = [randomRequests(chance), randomOperatorCommands(chance)];
  const { oneOf } = chance;

  const asked = (what: string): ParityCall => {
    const { made, path, sent } = requests[what]?.() ?? {};
    if (!path) throw new Error(`Nobody knows how to ask for ${what}.`);
    return {
      what,
      async on(side) {
        const reply = await side.api.send(`/api/v1${path(side)}`, sent?.(side));
        remember(side, path(side), reply, made);
        const shown = headers.map((name) => [name, reply.headers.get(name)]);
        return withNames(side, what, {
          status: reply.status,
          headers: Object.fromEntries(shown),
          body: reply.body,
          etag: reply.headers.has('etag'),
        });
      },
    };
  };
  const done = (what: string): ParityCall => {
    const { made, work } = works[what]?.() ?? {};
    if (!work) throw new Error(`Nobody knows how to do ${what}.`);
    return {
      what,
      async on(side) {
        try {
          const result = await side.store.write((db) => work(db, side));
          if (made && hasId(result)) side.ids[made].push(result.id);
          return 'done';
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const { errorName, message, fields } = error.errorResponse;
          return withNames(side, what, { errorName, message, fields });
        }
      },
    };
  };
  // Starts with creates, which are also more frequent than deletes.
  const beginning = [
    'addField',
    'addField',
    'createContact',
    'createContact',
    'openConversation',
    'createWebhook',
  ];
  const often = [
    'createContact',
    'updateContact',
    'getContact',
    'createMessage',
    'receive',
    'openConversation',
    'search',
    'getConversation',
  ];
  const seldom = [
    'deleteField',
    'deleteContact',
    'deleteWebhook',
    'strange',
    'rangeOfContacts',
    'rangeOfConversations',
    'fields',
  ];
  const names = [...Object.keys(requests), ...Object.keys(works)];
  const usual = names.filter((name) => !seldom.includes(name));
  const every = [...usual, ...usual, ...usual, ...often, ...often, ...often, ...often, ...seldom];
  return Array.from({ length: count }, (_, index) => {
    const what = beginning[index] ?? oneOf(every);
    return what in works ? done(what) : asked(what);
  });
}

const hasId = (result: unknown): result is { id: number } =>
  typeof result === 'object' && result !== null && 'id' in result;

function remember(side: EngineTarget, path: string, reply: ApiReply, made: EntityType | undefined): void {
  const [, id] = /^\/contacts\/(\d+)$/.exec(path) ?? [];
  const etag = reply.headers.get('etag');
  // Every second contact keeps its first ETag, so that some conditional requests send an outdated one.
  if (etag && !side.etags.has(Number(id))) side.etags.set(Number(id), etag);
  else if (etag && side.ids.contact.indexOf(Number(id)) % 2 === 0) side.etags.set(Number(id), etag);
  if (reply.status !== 201 || !made) return;
  const number = typeof reply.body === 'number' ? reply.body : reply.body.id;
  // A replayed response creates nothing.
  if (!side.ids[made].includes(number)) side.ids[made].push(number);
}
