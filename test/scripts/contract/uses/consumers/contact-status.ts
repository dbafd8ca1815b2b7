// Shows whether a contact is online, by a class of its own.
import createClient from 'openapi-fetch';
import type { Contact, paths } from 'parley-client';

type Status = Contact['status'];

class StatusBadge {
  readonly #client = createClient<paths>({ baseUrl: 'https://parley.example.com' });
  #status: Status | undefined;

  async load(id: number): Promise<void> {
    const { data } = await this.#client.GET('/api/v1/contacts/{id}', { params: { path: { id } } });
    this.#status = data?.status;
  }

  get color(): string {
    return this.#status === 'online' ? 'green' : 'grey';
  }
}

const badge = new StatusBadge();
await badge.load(4021);
process.stdout.write(badge.color);
