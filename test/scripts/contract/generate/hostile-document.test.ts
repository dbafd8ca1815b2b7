import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { generateFiles, writeFiles } from '../../../../scripts/contract/generate/files.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { writeDocument } from '../../../support/load-document.ts';
import { attackedDocument, bookDocument, withRichParts } from '../hostile-document.ts';

/** Sets a global, which shows that code has run. */
const run = "globalThis.hostileDocument='ran'";

/** Ends comments, strings of all kinds, template expressions, regular expressions and lines. */
const payload = `*/${run};/*'+(${run})+'"+(${run})+"\`+(${run})+\`\${${run}}\n${run};//\r${run}\u2028${run}\u2029</script>]}/;${run};\\`;

test('generated code contains the texts of a document only as strings and comments', async () => {
  const api = await writeDocument(attackedDocument(withRichParts(bookDocument), (text) => text + payload));
  const folder = dirname(api);
  const { files } = await generateFiles(api, 'npm run generate', withDefaults({}));
  await writeFiles(folder, files);
  for (const [name, text] of Object.entries(files)) {
    if (name.endsWith('.json')) continue;
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
    const { diagnostics = [] } = ts.transpileModule(text, {
      fileName: name.replace('.d.ts', '.ts'),
      reportDiagnostics: true,
    });
    expect(
      diagnostics.map(({ messageText }) => messageText),
      name,
    ).toEqual([]);
    expect(
      statementsOf(source).filter((each) => each.includes('hostileDocument')),
      name,
    ).toEqual([]);
  }
  // Running the modules runs nothing of the document.
  for (const name of ['events.js', 'mock.js', 'operations.ts', 'enums.ts'])
    await import(pathToFileURL(join(folder, name)).href);
  expect(Reflect.get(globalThis, 'hostileDocument')).toBeUndefined();
});

/** Returns the names of a source that are code: neither strings, comments nor regular expressions. */
function statementsOf(source: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
