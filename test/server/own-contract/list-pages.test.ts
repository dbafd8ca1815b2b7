import { expect, test } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import type { ApiReply } from '../../support/api-client.ts';
import { startService } from '../../support/service.ts';
import { createFixtures, operationIds } from './valid-requests.ts';

const idsIn = ({ body }: ApiReply): number[] => body.map(({ id }: { id: number }) => id);

const nextIn = ({ headers }: ApiReply): string | undefined =>
  /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

const lists = operationIds.filter((id) => operations[id].defaults.some((name) => name === 'order'));

test.each(lists)(
  '%s returns the entries of a company in pages, in either order, and counts them',
  async (id) => {
    const { api, company } = await startService();
    for (const word of ['one', 'two', 'three', 'four']) await createFixtures(company, word);
    const { path } = operations[id];
    const ids = idsIn(await api.send(path));
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    for (const [order, all] of [
      ['asc', ids],
      ['desc', ids.toReversed()],
    ] as const) {
      const first = await api.send(`${path}?per_page=2&order=${order}`, {
        headers: { prefer: 'count=exact' },
      });
      expect([idsIn(first), first.headers.get('x-total-count')]).toEqual([all.slice(0, 2), '4']);
      const second = await api.send(nextIn(first) ?? '');
      expect([idsIn(second), nextIn(second)]).toEqual([all.slice(2), undefined]);
      expect(idsIn(await api.send(`${path}?per_page=2&page=1&order=${order}`))).toEqual(all.slice(2));
    }
    expect(idsIn(await api.send(`${path}?page=2147483647`))).toEqual([]);
  },
);
