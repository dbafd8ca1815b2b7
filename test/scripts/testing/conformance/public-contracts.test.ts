import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { nameOfDocument, publicContracts } from '../../../../scripts/lab/public-contracts/documents.ts';
import { mockConformance } from '../../../../scripts/lab/public-contracts/tools.ts';
import { isLong } from '../../../support/sampling.ts';

/** Contracts that cannot be loaded. `load-contract.test.ts` tests their error messages. */
const invalid = [
  ...['parameters-style.json', 'schema-validation-local.json', 'schema-validation-top-level.json'],
  // It has anchors.
  'galaxy/dist/3.1.yaml',
];

const documents = publicContracts().filter((file) => !invalid.some((name) => file.endsWith(name)));
// `npm test` runs a sixth of them, without those of webhooks alone: their mocks get no request, and take 10 s to create.
// `npm run test:contracts` runs all of them with every tool.
const sample = documents.filter(
  (file, at) => isLong || (at % 6 === 0 && !file.includes('@octokit/openapi-webhooks')),
);

test.each(sample.map((file) => [nameOfDocument(file), file]))(
  'the mock of the public contract %s conforms to it',
  async (_name, file) => {
    expect(await mockConformance(await loadContract(file), 5)).toEqual([]);
  },
);
