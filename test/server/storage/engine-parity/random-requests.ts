import type { ApiRequest } from '../../../support/http.ts';
import type { EntityType } from '../../own-contract/valid-requests.ts';
import type { RandomInput } from './random-input.ts';
import { clockStart, type EngineTarget } from './targets.ts';

/** A request over HTTP. */
export interface RandomRequest {
  made?: EntityType;
  path: (side: EngineTarget) => string;
  sent?: (side: EngineTarget) => ApiRequest;
}

/** Generates valid and invalid requests of every operation. */
export function randomRequests({
  random,
  below,
  chance,
  oneOf,
  which,
  text,
  contactBody,
  page,
  counted,
  key,
  query,
}: RandomInput) {
  const range = (list: string) => {
    const [from, to] = [below(400), below(400)].map((minute) =>
      new Date(clockStart + 60_000 * minute).toISOString(),
    );
    const sent = { headers: counted() };
    return { path: () => `${list}?date_from=${from}&date_to=${to}`, sent: () => sent };
  };

  const requests: Record<string, () => RandomRequest> = {
    listContacts: () => {
      const query = `?${page()}&order=${oneOf(['asc', 'desc', 'up'])}&include_anonymous=${chance(0.5)}`;
      const sent = { headers: counted() };
      return { path: () => `/contacts${query}`, sent: () => sent };
    },
    rangeOfContacts: () => range('/contacts'),
    rangeOfConversations: () => range('/all/conversations'),
    search: () => {
      const asked = `?query=${encodeURIComponent(query())}&${page()}`;
      const sent = { headers: counted() };
      return { path: () => `/contacts/search${asked}`, sent: () => sent };
    },
    createContact: () => {
      const [body, sent] = [contactBody(), { headers: key() }];
      return {
        made: 'contact',
        path: () => '/contacts',
        sent: (side) => ({ ...sent, method: 'POST', body: body(side) }),
      };
    },
    getContact: () => {
      const id = which('contact');
      return { path: (side) => `/contacts/${id(side)}` };
    },
    updateContact: () => {
      const [id, body] = [which('contact'), contactBody()];
      const status = chance(0.05) ? 'asleep' : oneOf(['online', 'offline']);
      const rest = {
        avatar: null,
        status,
        from_integration: false,
        integration: null,
        from_whatsapp: true,
        from_email: false,
      };
      const matching = random();
      return {
        path: (side) => `/contacts/${id(side)}`,
        sent: (side) => {
          const known = side.etags.get(id(side)) ?? '"none"';
          return {
            method: 'PUT',
            body: { ...body(side), ...rest },
            headers: matching < 0.4 ? { 'if-match': known } : {},
          };
        },
      };
    },
    fields: () => ({ path: () => '/fields' }),
    listConversations: () => {
      const query = `?${page()}`;
      const sent = { headers: counted() };
      return { path: () => `/all/conversations${query}`, sent: () => sent };
    },
    getConversation: () => {
      const [id, before] = [which('conversation'), which('message')];
      const older = chance(0.3);
      return {
        path: (side) => `/conversations/${id(side)}${older ? `?messages_before=${before(side)}` : ''}`,
      };
    },
    createMessage: () => {
      const id = which('conversation');
      const plain = { type: oneOf(['text', 'photo', 'shout']), payload: chance(0.05) ? '' : (text() ?? 'x') };
      const sent = { headers: key() };
      return {
        made: 'message',
        path: () => '/messages',
        sent: (side) => ({ ...sent, method: 'POST', body: { conversation_id: id(side), ...plain } }),
      };
    },
    getMessage: () => {
      const id = which('message');
      return { path: (side) => `/messages/${id(side)}` };
    },
    createWebhook: () => {
      const body = {
        verb_id: 1 + below(5),
        entity_id: oneOf([1, 2, 3, 5]),
        action_id: 1 + below(6),
        url: 'https://hooks.example.com/a',
      };
      const sent = { method: 'POST', body, headers: key() };
      return { made: 'webhook', path: () => '/webhooks', sent: () => sent };
    },
    updateWebhook: () => {
      const id = which('webhook');
      const body = {
        verb_id: 3,
        entity_id: oneOf([1, 2, 5]),
        action_id: 1 + below(3),
        url: 'https://hooks.example.com/b',
      };
      return { path: (side) => `/webhooks/${id(side)}`, sent: () => ({ method: 'PUT', body }) };
    },
    deleteWebhook: () => {
      const id = which('webhook');
      return { path: (side) => `/webhooks/${id(side)}`, sent: () => ({ method: 'DELETE' }) };
    },
    strange: () => {
      const path = oneOf([
        '/contacts/0x1',
        '/contacts?page=-1',
        '/nothing',
        '/contacts?page=%zz',
        '/contacts/search?query=%20',
      ]);
      return { path: () => path };
    },
  };
  return requests;
}
