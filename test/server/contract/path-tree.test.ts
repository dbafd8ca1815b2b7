import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPathTree } from '../../../server/contract/path-tree.ts';

function treeOf(...templates: string[]) {
  const tree = createPathTree<string>();
  for (const template of templates) tree.add(template, template);
  return (path: string) => {
    const found = tree.find(path);
    return found && [found.value, ...found.parameters];
  };
}

test('a literal segment matches before a parameter, regardless of the order of definition', () => {
  const find = treeOf('/contacts/{id}', '/contacts/search', '/contacts/{id}/notes');
  expect(find('/contacts/search')).toEqual(['/contacts/search']);
  expect(find('/contacts/7')).toEqual(['/contacts/{id}', '7']);
  expect(find('/contacts/search/notes')).toEqual(['/contacts/{id}/notes', 'search']);
});

test('a parameter can be part of a segment, and the text around it is literal', () => {
  const find = treeOf('/files/{name}.{kind}', '/files/{id}', '/a+b/{x}-{y}');
  expect(find('/files/letter.pdf')).toEqual(['/files/{name}.{kind}', 'letter', 'pdf']);
  expect(find('/files/letter')).toEqual(['/files/{id}', 'letter']);
  expect(find('/a+b/1-2')).toEqual(['/a+b/{x}-{y}', '1', '2']);
  expect(find('/aab/1-2')).toBeUndefined();
});

test.each([
  '/',
  '',
  '/contacts',
  '/contacts/',
  '/contacts/7/',
  '//contacts/7',
  '/Contacts/7',
  '/contacts/7/notes/1',
])('no template matches the path "%s"', (path) =>
  expect(treeOf('/contacts/{id}', '/contacts/{id}/notes')(path)).toBeUndefined(),
);

test('any parameter value matches its template, and is returned unchanged', () => {
  const segment = fc.stringMatching(/^[^/?#]+$/);
  fc.assert(
    fc.property(segment, segment, (one, other) => {
      const find = treeOf('/a/{one}/b/{other}');
      expect(find(`/a/${one}/b/${other}`)).toEqual(['/a/{one}/b/{other}', one, other]);
    }),
  );
});
