import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { bookContract } from '../uses/book-contract.ts';
import { applyChange, type Edit } from './contract-change.ts';

interface AffectingChange {
  edit: Edit;
  property?: string;
  uses: string[] | string[][];
}
const { changes }: { changes: Record<string, AffectingChange> } = readYaml(
  import.meta.dirname,
  'affected-uses.yaml',
);

test('a removed error code of one response is a change of this response', async () => {
  const before: object = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
  const codes =
    '/components/responses/Conflict/content/application~1json/schema/allOf/1/properties/code/enum';
  const { breaking, others } = await compareContracts(
    before,
    applyChange(before, [[codes, [40901]]]),
    '2026-11-25',
  );
  expect(breaking).toEqual([]);
  expect(others.map(({ base }) => base?.pointer)).toEqual([expect.stringMatching(/\/code\/enum$/)]);
  expect(others[0]?.operations).toContain('POST /api/v1/contacts');
});

test.each(Object.entries(changes))('%s', async (_name, { edit, property, uses }) => {
  const { breaking } = await compareContracts(
    bookContract(),
    applyChange(bookContract(), [edit]),
    '2026-11-25',
  );
  // Some changes have a finding for each direction.
  expect(breaking.length).toBeGreaterThan(0);
  const [schema, ...properties] = property?.split('.') ?? [];
  for (const { affected } of breaking) {
    const found = affected.uses.map(({ direction, location }) => `${direction} ${location}`).sort();
    expect({ ...affected, uses: found }).toEqual({ schema, properties, uses: uses.flat().sort() });
  }
});
