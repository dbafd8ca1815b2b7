import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { InjectedFault } from '../fault.ts';

const maxClients = 80;

export const connectionsExhausted: InjectedFault = {
  name: 'connections-exhausted',
  what: 'Another program takes all connections of PostgreSQL for 3 s after ours are cut.',
  fleet: { database: [`max_connections=${maxClients}`, 'superuser_reserved_connections=0'] },
  async happen({ cluster: postgres, proxy }) {
    const clients: Client[] = [];
    const take = async () => {
      const client = new Client({ connectionString: postgres.url });
      client.on('error', () => {});
      await client.connect().then(
        () => clients.push(client),
        () => {},
      );
    };
    const end = performance.now() + 3_000;
    while (performance.now() < end) {
      proxy.cut();
      await Promise.all(Array.from({ length: maxClients - clients.length }, take));
      await wait(100);
    }
    await Promise.all(clients.map((client) => client.end()));
    return undefined;
  },
};
