import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { InjectedFault } from '../fault.ts';

export const poolExhausted: InjectedFault = {
  name: 'pool-exhausted',
  what: 'Another program locks the table of contacts for 13 s, until every connection of the pools waits for it.',
  fleet: { settings: { PARLEY_DATABASE_POOL_SIZE: '4' }, callers: 32 },
  async happen({ cluster: postgres }) {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('begin; lock table contacts in access exclusive mode');
    await wait(13_000);
    await client.end();
    return undefined;
  },
};
