import type { LabEnvironment } from '../environment.ts';

/** A company and its interface. */
export interface Tenant {
  id: number;
  /** Makes something by POST. @throws where it is refused */
  post: (path: string, body: unknown) => Promise<unknown>;
}

/** Makes companies, each with a token. */
export async function createTenants(
  { parley }: LabEnvironment,
  base: string,
  count: number,
): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let made = 0; made < count; made += 1) {
    const id = Number((await parley('company', 'create', '--name', `Company ${made}`)).id);
    const { token } = await parley('token', 'create', '--company', String(id), '--user', '1');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    tenants.push({
      id,
      async post(path, body) {
        const response = await fetch(`${base}/api/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        if (response.status !== 201)
          throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
        return response.json();
      },
    });
  }
  return tenants;
}

/** A contact as they usually are. */
export const sampleContact = (number: number) => ({
  first_name: 'Ada',
  last_name: `Lindqvist ${number}`,
  email_address: `ada.${number}@example.com`,
  telephone_number: '+46701234567',
});

/** A webhook for new contacts. */
export const sampleWebhook = (url: string) => ({ verb_id: 3, entity_id: 2, action_id: 1, url });
