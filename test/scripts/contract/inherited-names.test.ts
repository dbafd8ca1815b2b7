import { beforeAll, describe, expect, test } from 'vitest';
import { examineContract } from '../../../scripts/contract/doctor/examine-contract.ts';
import { withDefaults } from '../../../scripts/contract/read-config.ts';
import { tools } from '../../../scripts/lab/public-contracts/tools.ts';
import { objectOf } from '../../../server/lib/json-object.ts';
import { writeDocument } from '../../support/documents.ts';
import {
  type Implementations,
  implementationNames,
  type Respond,
  startImplementations,
} from '../../support/implementations.ts';
import { contractWithInheritedNames, inheritedNames } from '../../support/inherited-names.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';

let api: string;
let send: Implementations;

/** Creates an object with an own property. */
const own = (name: string, value: unknown): Record<string, unknown> => Object.fromEntries([[name, value]]);

beforeAll(async () => {
  api = await writeDocument(contractWithInheritedNames, afterAllTests);
  const respond: Respond = ({ path, body }) => {
    const received = { ...objectOf(path), ...objectOf(body) };
    const name = inheritedNames.find((each) => Object.hasOwn(received, each));
    if (name === undefined) return { status: 204 };
    const headers = name === '__proto__' ? {} : Object.fromEntries([[name, 'own']]);
    return { status: 200, headers, body: own(name, 'own') };
  };
  send = await startImplementations(contractWithInheritedNames, afterAllTests, respond);
});
test.each(Object.keys(tools))('%s works with inherited names', async (tool) => {
  expect(await tools[tool]?.(api)).toEqual([]);
});

test('doctor finds nothing to report', async () => {
  expect((await examineContract(api, withDefaults({}))).limits).toEqual([]);
});

describe.each(implementationNames)('%s', (implementation) => {
  const post = (index: number, body: string) =>
    send[implementation](`/write/${index}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });

  test.each(inheritedNames.map((name, index) => [name, index] as const))(
    'treats %s as any other name',
    async (name, index) => {
      const valid = await post(index, JSON.stringify(own(name, 'own')));
      expect(valid.status).toBe(200);
      // Prism drops an example with the name `__proto__`; the mocks then generate the body.
      expect(JSON.parse(await valid.text())).toSatisfy((body) => Object.hasOwn(body, name));
      // Missing, invalid, and inherited but not documented properties.
      const other = inheritedNames[(index + 1) % inheritedNames.length] ?? '';
      for (const wrong of [
        '{}',
        JSON.stringify(own(name, 7)),
        JSON.stringify({ ...own(name, 'own'), ...own(other, 'x') }),
      ])
        expect((await post(index, wrong)).status).toBe(400);
      const header = name === '__proto__' ? {} : Object.fromEntries([[name, 'own']]);
      const headers = { [`X-Key-${index}`]: 'key', ...header };
      const read = await send[implementation](`/read/${index}/own?${name}=own`, { headers });
      expect(read.status).toBe(200);
      expect((await send[implementation](`/read/${index}/OWN?${name}=own`, { headers })).status).toBe(400);
      expect((await send[implementation](`/read/${index}/own`, { headers })).status).toBe(400);
      const kind = await send[implementation]('/kinds', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: name }),
      });
      expect(kind.status).toBe(204);
    },
  );
});
