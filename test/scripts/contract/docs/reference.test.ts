import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { contractConfig } from '../../../../parley-contract.config.ts';
import { contractForReaders } from '../../../../scripts/contract/docs/reference/contract-for-readers.ts';
import { referenceEntries } from '../../../../scripts/contract/docs/reference/entries.ts';
import { referencePage } from '../../../../scripts/contract/docs/reference/reference-page.ts';
import { createSamples } from '../../../../scripts/contract/docs/reference/samples.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { mockToken } from '../../../../scripts/contract/mock/authenticate.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { compileErrors } from '../../../../scripts/lab/public-contracts/compile-errors.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const contract = await loadContract(contractConfig.api);
const { html } = referencePage(contractForReaders(contract, undefined), {
  client: { variable: 'parley' },
  linkTo: (href) => href,
});
const operations = referenceEntries(contract).filter(({ kind }) => kind === 'operation');

/** Returns the sections of the reference by the ID of their operation, with the code samples as text. */
function sectionOf(id: string): { html: string; samples: Record<string, string> } {
  const [, section = ''] = html.split(`<h3 id="${id}">`);
  const [text = ''] = section.split('</section>');
  const found = Array.from(
    text.matchAll(/data-language="(\w+)"><pre[^>]*><code>(.*?)<\/code>/gs),
    ([, language = '', code = '']) => [language, plain(code)] as const,
  );
  return { html: text, samples: Object.fromEntries(found.reverse()) };
}

const plain = (code: string): string =>
  code
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(39|x27);/g, "'")
    .replaceAll('&amp;', '&');

test('every operation and event has a section', () => {
  const ids = referenceEntries(contract).map(({ id }) => id);
  expect(ids.filter((id) => !html.includes(` id="${id}"`))).toEqual([]);
  expect(operations).toHaveLength(
    Object.values(document.paths).flatMap((item) =>
      Object.keys(item).filter((key) => /^(get|put|post|delete)$/.test(key)),
    ).length,
  );
});

test('each TypeScript sample compiles, and gets a successful response from the mock', async () => {
  const base = await startListening((await createMockServer({ config: contractConfig })).server);
  const folder = await temporaryFolder();
  const file = join(folder, 'samples.mts');
  const functions = operations.map(({ id }) => {
    const { samples } = sectionOf(id);
    return `export async function ${id}() {\n${samples.TypeScript}\nif (error !== undefined) throw error;\nreturn data;\n}`;
  });
  await writeFile(
    file,
    `import { createClient } from '${resolve('client/index.ts')}';\nconst parley = createClient({ baseUrl: '${base}', token: '${mockToken}' });\n${functions.join('\n')}\n`,
  );
  // The client itself is compiled elsewhere, with other settings.
  expect(compileErrors([file]).filter((error) => error.startsWith(file))).toEqual([]);
  const module: Record<string, () => Promise<unknown>> = await import(pathToFileURL(file).href);
  for (const { id } of operations) await expect(module[id]?.(), id).resolves.not.toThrow();
});

test('each curl sample gets a successful response from the mock', async () => {
  const base = await startListening((await createMockServer({ config: contractConfig })).server);
  const env = { ...process.env, BASE_URL: base, TOKEN: mockToken };
  for (const { id } of operations) {
    const command =
      sectionOf(id).samples.curl?.replace('curl', 'curl --silent --show-error --fail') ?? 'false';
    await expect(promisify(execFile)('sh', ['-c', command], { env }), command).resolves.toMatchObject({
      stderr: '',
    });
  }
});

test('a section describes parameters, the body with nested properties, and the responses', () => {
  const { html: section } = sectionOf('createContact');
  expect(plain(section)).toMatch(
    /Idempotency-Key.*header.*string, at least 1 character, at most 255 characters/s,
  );
  expect(section).toContain('<code>fields[].value</code>');
  expect(plain(section)).toMatch(/201.*409.*503/s);
});

test('samples without examples have valid values, the credentials of the operation, and files', async () => {
  const file = join(await temporaryFolder(), 'rental.yaml');
  await writeFile(
    file,
    `openapi: 3.1.0
info: { title: Rental, version: 1.0.0 }
security: [{ partner: [] }]
paths:
  /rentals/{id}/photo:
    put:
      operationId: replacePhoto
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
        - { name: on, in: query, required: true, schema: { type: string, format: date } }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo, caption]
              properties: { photo: { type: string, format: binary }, caption: { type: string } }
      responses: { '204': { description: Done. } }
  /login:
    post:
      operationId: logIn
      security: [{ basic: [] }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [age], properties: { age: { type: integer } } } } }
      responses: { '204': { description: Done. } }
components:
  securitySchemes:
    partner: { type: apiKey, in: header, name: X-Partner-Key }
    basic: { type: http, scheme: basic }
`,
  );
  const rental = contractForReaders(await loadContract(file, { onIgnored: () => {} }), undefined);
  const samplesOf = createSamples(rental, { variable: 'client' });
  const [photo, login] = rental.operations.map(samplesOf);
  expect(photo?.curl).toMatch(
    /^curl -X PUT "\$BASE_URL\/rentals\/[\da-f]{8}-[\da-f-]{27}\/photo\?on=\d{4}-\d\d-\d\d" \\\n {2}-H "X-Partner-Key: \$X_PARTNER_KEY" \\\n {2}-H 'If-Match: [^1].*' \\\n/,
  );
  expect(photo?.curl).toContain("-F 'photo=@file'");
  expect(photo?.curl).toMatch(/--form-string 'caption=.+'/);
  expect(photo?.typescript).toMatch(/photo: new Blob\(\[bytes\]\)/);
  expect(login?.curl).toMatch(/-u "\$USER:\$PASSWORD"[\s\S]*-d '\{"age":\d+\}'$/);
});
