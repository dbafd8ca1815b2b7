import type { Workload } from '../../closed-loop-load.ts';
import type { Tenant } from '../../tenant.ts';

export const contactCount = 1_000;
const many = 100;

/** Returns all workloads. The company has contacts, and a conversation with the ID 1. */
export function createWorkloads({ headers }: Pick<Tenant, 'headers'>): Workload[] {
  const get = (name: string, pathOf: (turn: number) => string): Workload => ({
    name,
    status: 200,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'GET',
      path: `/api/v1${pathOf(turn)}`,
      headers: { authorization: headers.authorization },
    })),
  });
  const post = (name: string, path: string, bodyOf: (turn: number) => object): Workload => ({
    name,
    status: 201,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { ...headers },
      body: JSON.stringify(bodyOf(turn)),
    })),
  });
  return [
    get('get a contact', (turn) => `/contacts/${1 + ((turn * 7) % contactCount)}`),
    get('list 20', (turn) => `/contacts?per_page=20&page=${turn % 10}`),
    get('list 100', (turn) => `/contacts?per_page=100&page=${turn % 5}`),
    post('create a contact', '/contacts', (turn) => ({
      first_name: 'Zoe',
      last_name: `Okafor ${turn}`,
      email_address: `zoe.${turn}@example.com`,
      telephone_number: '+2348012345678',
      fields: [1, 2, 3].map((id, at) => ({ id, value: ['Lagos', '3', '2025-02-03'][at] })),
    })),
    post('create a message', '/messages', (turn) => ({
      conversation_id: 1,
      type: 'text',
      payload: `Good morning, this is message ${turn}. The parcel has not come yet.`,
    })),
  ];
}
