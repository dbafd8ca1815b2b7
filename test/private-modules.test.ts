import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Entries that a package documents without listing them in the `exports` of its package.json. */
const documented: Record<string, string> = {
  'ajv/dist/2020.js': 'https://ajv.js.org/json-schema.html',
};

const sources = globSync('{client,scripts,server,test}/**/*.{ts,mts,js,mjs}')
  .concat(globSync('*.{ts,mjs}'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
  .filter(({ file }) => file !== 'test/private-modules.test.ts');

/** The module that an import, or a call that finds a module, names: a package, and the path of a module inside it. */
const named =
  /(?:\b(?:from|import|require|resolve))\s*\(?\s*['"`]((?:@[\w.-]+\/)?\w[\w.-]*)\/([^'"`$]+)['"`]/g;

/** Whether a package publishes one of its files: as an entry, as a program, or as its own description. */
function isPublished(name: string, path: string): boolean {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  const programs: unknown[] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return (
    path === 'package.json' ||
    Object.keys(exports).includes(`./${path}`) ||
    programs.some((program) => String(program).replace(/^\.\//, '') === path)
  );
}

test('no file imports a private module of a package', () => {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(named)].flatMap(([, name = '', path = '']) =>
      existsSync(`node_modules/${name}/package.json`) ? [{ file, name, path }] : [],
    ),
  );
  expect(found.map(({ name, path }) => `${name}/${path}`)).toEqual(
    expect.arrayContaining(Object.keys(documented)),
  );
  const isPrivate = ({ name, path }: (typeof found)[number]) =>
    documented[`${name}/${path}`] === undefined && !isPublished(name, path);
  expect(found.filter(isPrivate)).toEqual([]);
});

/** Uses of a member with an underscore, each with the reason. */
const exceptions: Record<string, string> = {
  'server/http/express/validate-routes.ts: { _body:':
    'Body parsers of Express 4 have no other mark for a body that is read. It is set, never read.',
};

test('no file uses a member whose name begins with an underscore, which packages do not document', () => {
  const member =
    /\.\s*_[a-z]\w*|(?:\[|Reflect\.\w+\(\w+,)\s*['"`]_[a-z]\w*['"`]|\{\s*_[a-z]\w*\s*[,:}]|,\s*_[a-z]\w*\s*\}/gi;
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(member)].map(([code]) => `${file}: ${code}`),
  );
  expect(found).toEqual(Object.keys(exceptions));
});
