import { globSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { createMock } from '../../../../scripts/contract/mock/server.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { startListening } from '../../../support/http.ts';
import { isLong } from '../../../support/sampling.ts';

/** Contracts whose mock does not conform yet, or that take too long, with the reason. */
const exceptions: Record<string, string> = {
  '3.0/json/discriminators.json': 'Invalid: it refers to a schema that does not exist.',
  '3.0/json/http-status-codes.json': 'It has hundreds of operations, which takes more than 30 s.',
  '3.0/json/petstore.json': 'An example contains a read-only property, which the mock rejects.',
  '3.0/json/readme-legacy.json': 'The format "url" is not generated.',
  '3.0/json/request-examples.json': 'The mock does not choose among several media types.',
  '3.0/json/response-multiple-mediatypes.json': 'The mock does not choose among several media types.',
  '3.0/json/schema-validation.json': 'Formats are generated that the validator rejects.',
  '3.0/json/star-trek.json': 'It has hundreds of operations.',
  '3.0/json/parameters-style.json': 'Invalid: its paths contain fragments.',
  '3.0/json/security-multiple.json': 'Two schemes of one operation need different values in one header.',
  '3.0/json/server-path-level.json': 'Servers of paths and operations are not supported.',
  '3.0/json/server-variables.json': 'Servers of paths and operations are not supported.',
  '3.1/json/parameters-style.json': 'Invalid: its paths contain fragments.',
  '3.1/json/readme.json': 'Invalid: "nullable" without a type.',
  '3.1/json/schema-validation-local.json': 'Invalid: a boolean exclusiveMaximum.',
  '3.1/json/schema-validation-top-level.json': 'Invalid: an unknown dialect.',
};

const nameOf = (file: string): string => file.split('oas-examples/')[1] ?? '';
const all = globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json').sort();
// `npm test` takes a third of them.
const files = all.filter((file, at) => !exceptions[nameOf(file)] && (isLong || at % 3 === 0));

test('every exception names a contract', () => {
  expect(Object.keys(exceptions).filter((name) => !all.map(nameOf).includes(name))).toEqual([]);
});

/** Returns a value for every kind of credentials in a contract. */
function credentialsFor({ components = {} }: OpenApiDocument) {
  const credentials = {
    headers: { Authorization: 'Bearer x' } as Record<string, string>,
    query: {} as Record<string, string>,
  };
  const cookies: string[] = [];
  for (const { type, in: location, name = '' } of Object.values(components.securitySchemes ?? {})) {
    if (type !== 'apiKey') continue;
    if (location === 'header') credentials.headers[name] = 'x';
    if (location === 'query') credentials.query[name] = 'x';
    if (location === 'cookie') cookies.push(`${name}=x`);
  }
  if (cookies.length > 0) credentials.headers.Cookie = cookies.join('; ');
  return credentials;
}

/** Returns the base path of a contract's first server, with the defaults of its variables. */
function basePathOf({ servers = [] }: OpenApiDocument): string {
  const [{ url = '/', variables = {} } = {}] = servers;
  const filled = url.replace(/\{([^}]+)\}/g, (_all, name: string) => String(variables[name]?.default ?? ''));
  return new URL(filled, 'http://localhost').pathname.replace(/\/$/, '');
}

test.each(files.map((file) => [nameOf(file), file]))(
  'the mock of the public contract %s conforms to it',
  async (_name, file) => {
    const document = await loadContract(file);
    const { server } = await createMock({ config: contractConfig, api: file });
    const base = (await startListening(server)) + basePathOf(document);
    const { send, close } = createRequestSender(base, 10_000);
    onTestFinished(close);
    // The mock stores nothing, so the phase `stateful` is left out.
    const report = await runConformance({
      document,
      send,
      base,
      credentials: credentialsFor(document),
      phases: ['examples', 'boundaries', 'random'],
      only: [],
      runs: 5,
      seed: 1,
    });
    expect(
      report.findings.map(({ operation, message, curl }) => `${operation}: ${message}\n${curl}`),
    ).toEqual([]);
  },
  60_000,
);
