import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { loadDocument } from '../../../support/load-document.ts';
import { isLong } from '../../../support/sampling.ts';

type Verdict = 'breaking' | 'compatible';

/** Two versions of a contract, made after a public report about a tool that compares contracts. */
type PublicChange = { [verdict in Verdict]?: string } & { base: Version; revision: Version };

/** A document. It needs neither a title, nor its only operation if this has one body. */
interface Version {
  request?: object;
  response?: object;
}

const changes: PublicChange[] = parse(
  readFileSync(join(import.meta.dirname, 'labelled-changes/public-changes.yaml'), 'utf8'),
);

// `npm test` compares only every sixth pair. `npm run test:long` compares all.
const sample = changes
  .filter((_, index) => isLong || index % 6 === 0)
  .map((change) => ({ ...change, name: change.breaking ?? change.compatible }));

function documentOf({ request, response, ...document }: Version): object {
  const body = (schema: object) => ({ content: { 'application/json': { schema } } });
  const post = request && {
    operationId: 'postIt',
    requestBody: { required: true, ...body(request) },
    responses: { 204: { description: '' } },
  };
  const get = response && {
    operationId: 'getIt',
    responses: { 200: { description: '', ...body(response) } },
  };
  const item = { ...(post && { post }), ...(get && { get }) };
  return { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: { '/t': item }, ...document };
}

test.each(sample)('$name', async ({ base, revision, breaking }) => {
  const before = await loadDocument(documentOf(base));
  const after = await loadDocument(documentOf(revision));
  const found = await compareContracts(before.document, after.document, '2026-11-28');
  const real = found.breaking.filter(({ plannedRemoval }) => plannedRemoval?.state !== 'due');
  const listed = JSON.stringify([real, found.undecided], null, 1);
  expect(real.length > 0, listed).toBe(breaking !== undefined);
  if (breaking === undefined) expect(found.undecided, listed).toEqual([]);
});
