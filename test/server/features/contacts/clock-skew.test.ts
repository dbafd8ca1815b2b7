import { expect, test } from 'vitest';
import { emptyContact, startService } from '../../../support/service.ts';

const hourMs = 3_600_000;
const timestamp = (text: string) => Date.parse(text);

test('after the clock jumps, requests succeed, timestamps never decrease and no create is repeated', async () => {
  let aheadMs = hourMs;
  const now = () => Date.now() + aheadMs;
  const { api } = await startService({ now, tokenLimit: { name: 'token', perMinute: 60, burst: 50 } });
  const key = { 'idempotency-key': 'once' };
  const made = await api.createContact({ first_name: 'Ada' }, key);
  const before = await api.getContact(made.body.id);
  for (const ahead of [0, -hourMs, 3 * hourMs, 0]) {
    aheadMs = ahead;
    const again = await api.createContact({ first_name: 'Ada' }, key);
    expect(again.body).toEqual(made.body);
    const { body, headers } = await api.getContact(made.body.id);
    const updated = await api.updateContact(
      made.body.id,
      { ...emptyContact, first_name: `Ada ${ahead}` },
      { 'if-match': headers.get('etag') ?? '' },
    );
    expect(updated.status).toBe(200);
    const after = (await api.getContact(made.body.id)).body;
    expect(timestamp(after.updated_at)).toBeGreaterThanOrEqual(timestamp(body.updated_at));
    expect(after.created_at).toBe(before.body.created_at);
    const { body: other } = await api.createContact({ first_name: 'Bea' });
    expect(other.id).toBeGreaterThan(made.body.id);
    const { body: found } = await api.listContacts('?order=desc&per_page=1');
    expect(found[0].id).toBe(other.id);
  }
});
