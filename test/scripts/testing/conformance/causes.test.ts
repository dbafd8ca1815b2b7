import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { errorFormat } from '../../../../server/errors.ts';
import { createPipeline, type PipelineOptions } from '../../../../server/http/express/pipeline.ts';
import { scopes } from '../../../../server/own-contract/scopes.ts';
import { logError } from '../../../../server/runtime/bootstrap.ts';
import { runCommand } from '../../../support/run-command.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Runs the conformance test on a service that uses `respond` for every operation. Returns the printed report. */
async function reportFor(respond: PipelineOptions<object>['respond'], ...options: string[]) {
  const file = join(await temporaryFolder(), 'service.log');
  const log = pino({ base: null }, pino.destination({ dest: file, sync: true }));
  const pipeline = createPipeline<object>({
    contract: compileContract(document),
    errors: errorFormat,
    authenticate: async () => ({ caller: {}, scopes: new Set(scopes), headers: {} }),
    respond,
    onError: ({ error, ...where }) => logError(log, error, where),
    onResponse: (record) => log.info(record, 'request completed'),
  });
  const url = await startListening(createServer(express().use(pipeline)));
  const given = ['--url', url, '--log', file, '--phase', 'examples', '--seed', '7', ...options];
  return (await runCommand(['test', ...given])).out;
}

test('the cause of a finding names the location at which the response violates the contract', async () => {
  const contact = { ...document.components.examples.Contact4021.value, first_name: 7 };
  const respond = async () => ({ status: 200, headers: { ETag: '"x"' }, body: contact });
  const report = JSON.parse(await reportFor(respond, '--json', '--operation', 'getContact'));
  const causes = report.findings.flatMap(({ cause = [] }) => cause);
  expect([...new Set(causes)]).toEqual([
    expect.stringContaining('response violates the contract: /first_name'),
  ]);
});

test('findings with the same logged cause are merged into one that lists the operations', async () => {
  const text = await reportFor(async () => {
    throw new Error('the pool is empty');
  });
  expect(text.match(/the pool is empty/g)).toHaveLength(1);
  expect(text).toMatch(/ {2}logged: internal error: the pool is empty \(at .*causes\.test\.ts/);
  expect(text).toMatch(/ {2}same cause: .*createContact \(examples\)/);
});
