import { expect, test } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { scopes as allScopes } from '../../../server/own-contract/scopes.ts';
import type { ApiReply } from '../../support/api-client.ts';
import { startService } from '../../support/service.ts';
import {
  createFixtures,
  type Fixtures,
  fixturesWith,
  operationIds,
  sendValid,
  validRequestOf,
} from './valid-requests.ts';

const secretWord = 'Zyxwvut';

/** Creates a company with a unique word in all its data, and another company. */
async function twoCompanies() {
  const service = await startService();
  const { company: theirs } = service;
  const foreign = await createFixtures(theirs, secretWord);
  const otherCompany = await service.addCompany();
  const own = await createFixtures(otherCompany);
  return { ...service, theirs, foreign, otherCompany, own };
}

/** Returns the body and headers of a response as text. */
const allOf = ({ headers, text }: ApiReply): string => {
  const lines = [text];
  headers.forEach((value, name) => {
    lines.push(`${name}: ${value}`);
  });
  return lines.join('\n');
};

const namesSomething = operationIds.filter(
  (id) =>
    JSON.stringify(validRequestOf(id, {})) !==
    JSON.stringify(
      validRequestOf(
        id,
        fixturesWith((index) => index + 1),
      ),
    ),
);

const nowhere = 4_999_999;
const nothing = fixturesWith(() => nowhere);

test.each(namesSomething)(
  "%s returns the same for another company's data as for missing data",
  async (id) => {
    const { foreign, otherCompany, own, theirs, errors } = await twoCompanies();
    const readAll = async () => {
      const reads = operationIds.filter((each) => operations[each].method === 'get');
      const replies = await Promise.all(reads.map((each) => sendValid(theirs.api, each, foreign)));
      return replies.map(({ text }) => text);
    };
    const before = await readAll();
    // Each of the other company's IDs alone, and then all of them.
    const names = Object.keys(own) as (keyof Fixtures)[];
    for (const foreigners of [...names.map((name) => [name]), names]) {
      const pick = (from: Fixtures): Fixtures => ({
        ...own,
        ...Object.fromEntries(foreigners.map((name) => [name, from[name as keyof Fixtures]])),
      });
      const [given, unknown] = [pick(foreign), pick(nothing)];
      const same = JSON.stringify(validRequestOf(id, given)) === JSON.stringify(validRequestOf(id, own));
      if (same) continue;
      const [reply, expected] = [
        await sendValid(otherCompany.api, id, given),
        await sendValid(otherCompany.api, id, unknown),
      ];
      expect([404, 422], reply.text).toContain(reply.status);
      expect(allOf(reply)).not.toContain(secretWord);
      const numberless = ({ status, text }: ApiReply) => [status, text.replace(/\d{1,7}(?=[ .,"])/g, 'N')];
      expect(numberless(reply)).toEqual(numberless(expected));
    }
    expect(await readAll()).toEqual(before);
    expect(errors).toEqual([]);
  },
);

test.each(operationIds)('%s shows no data of another company', async (id) => {
  const { otherCompany, own } = await twoCompanies();
  const reply = await sendValid(otherCompany.api, id, own);
  expect(reply.status).toBeLessThan(300);
  expect(allOf(reply)).not.toContain(secretWord);
});

test.each(operationIds)(
  '%s returns the same for existing and missing data if the token lacks a scope',
  async (id) => {
    const { theirs, foreign } = await twoCompanies();
    const needed = operations[id].security.flatMap((each) => Object.values(each).flat()) as string[];
    expect(needed.length, `${id} requires no scope: list its scopes under security`).toBeGreaterThan(0);
    for (const lacking of needed) {
      const { api } = await theirs.token(allScopes.filter((scope) => scope !== lacking));
      const [there, missing] = [await sendValid(api, id, foreign), await sendValid(api, id, nothing)];
      expect(there).toBeApiError(403, 40301);
      expect(missing.text).toBe(there.text);
      expect(allOf(there)).not.toContain(secretWord);
    }
  },
);
