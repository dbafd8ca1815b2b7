import type { LabEnvironment } from '../environment.ts';

/** A company, and a function that creates resources with its token. */
export interface Tenant {
  id: number;
  token: string;
  /** Creates a resource. @throws Error if it is rejected */
  post: (path: string, body: unknown) => Promise<unknown>;
}

/** Creates companies with one token each. */
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
      token: String(token),
      async post(path, body) {
        const response = await fetch(`${base}/api/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        if (response.status !== 201)
          throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
        return response.json();
      },
    });
  }
  return tenants;
}

/** Returns a typical contact. */
export const sampleContact = (number: number) => ({
  first_name: 'Ada',
  last_name: `Lindqvist ${number}`,
  email_address: `ada.${number}@example.com`,
  telephone_number: '+46701234567',
});

/** Returns a webhook that receives new contacts. */
export const sampleWebhook = (url: string) => ({ verb_id: 3, entity_id: 2, action_id: 1, url });
