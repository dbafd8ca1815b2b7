import type { Workload } from '../../workload.ts';
import { contactCount, firstNames } from './dataset.ts';

const many = 100;

/** Returns all workloads. @param conversationId the conversation that gets new messages */
export function createWorkloads({
  token,
  conversationId,
}: {
  token: string;
  conversationId: number;
}): Workload[] {
  const authorization = `Bearer ${token}`;
  const get = (name: string, pathOf: (turn: number) => string): Workload => ({
    name,
    status: 200,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'GET',
      path: `/api/v1${pathOf(turn)}`,
      headers: { authorization },
    })),
  });
  const post = (name: string, path: string, bodyOf: (turn: number) => object, status = 201): Workload => ({
    name,
    status,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(turn)),
    })),
  });
  const contact = (turn: number) => ({
    first_name: 'Zoe',
    last_name: `Okafor ${turn}`,
    email_address: `zoe.${turn}@example.com`,
    telephone_number: '+2348012345678',
    fields: [1, 2, 3].map((id, at) => ({ id, value: ['Lagos', '3', '2025-02-03'][at] })),
  });
  const list = get('list 20', (turn) => `/contacts?per_page=20&page=${turn % 10}`);
  return [
    get('get a contact', (turn) => `/contacts/${1 + ((turn * 7) % contactCount)}`),
    list,
    get('list 100', (turn) => `/contacts?per_page=100&page=${turn % 5}`),
    get('search', (turn) => `/contacts/search?query=${firstNames[turn % firstNames.length]}`),
    post('create a contact', '/contacts', contact),
    post('create a message', '/messages', (turn) => ({
      conversation_id: conversationId,
      type: 'text',
      payload: `Good morning, this is message ${turn}. The parcel has not come yet.`,
    })),
    post('bad request', '/contacts', (turn) => ({ ...contact(turn), first_name: turn }), 422),
    {
      name: 'bad token',
      status: 401,
      requests: list.requests.map((sent) => ({
        ...sent,
        headers: { authorization: `${authorization.slice(0, -1)}${authorization.endsWith('a') ? 'b' : 'a'}` },
      })),
    },
  ];
}
