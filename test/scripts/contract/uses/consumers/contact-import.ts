// Creates contacts from the rows of a table.
import { createClient, ParleyError } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

interface Row {
  givenName: string;
  familyName: string;
  email: string;
}

export async function importRows(rows: readonly Row[]): Promise<number> {
  let created = 0;
  for (const { givenName, familyName, email } of rows) {
    try {
      await parley.throwing.POST('/api/v1/contacts', {
        params: { header: { 'Idempotency-Key': `import-${email}` } },
        body: { first_name: givenName, last_name: familyName, email_address: email },
      });
      created += 1;
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== 40901) throw error;
    }
  }
  return created;
}
