import createReactQuery from 'openapi-react-query';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { createClient, ParleyError } from '../../client/index.ts';

// Code that must not compile is in usage.types.ts and react-query.types.ts. `npm test` checks these files first, with
// `tsc`.

test('openapi-react-query sends requests through the client and returns its errors', async () => {
  const responses = [
    new Response('[]', { headers: { 'Content-Type': 'application/json' } }),
    Response.json({ code: 40301, message: 'No.', fields: '' }, { status: 403 }),
  ];
  const client = createClient({
    baseUrl: 'http://127.0.0.1:9',
    token: 't',
    fetch: async () => responses.shift() ?? Response.error(),
  });
  const { queryFn, queryKey } = createReactQuery(client.openapi).queryOptions('get', '/api/v1/fields');
  const ask = async () =>
    await queryFn({
      queryKey,
      signal: new AbortController().signal,
      meta: undefined,
      client: undefined as never,
    });
  expect(await ask()).toEqual([]);
  await expect(ask()).rejects.toBeInstanceOf(ParleyError);
});

test('editors show the types of properties without references to components', () => {
  const file = 'test/client/hover.ts';
  const source = `import { createClient } from '../../client/index.ts';
    const client = createClient({ baseUrl: '', token: '' });
    const contact = await client.throwing.GET('/api/v1/contacts/{id}', { params: { path: { id: 1 } } });
    contact.first_name;`;
  const host: ts.LanguageServiceHost = {
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile: ts.sys.readFile,
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name.endsWith(file) ? source : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (name) => name.endsWith(file) || ts.sys.fileExists(name),
  };
  const info = ts.createLanguageService(host).getQuickInfoAtPosition(file, source.lastIndexOf('first_name'));
  expect(ts.displayPartsToString(info?.displayParts)).toBe('(property) first_name: string | null');
});
