import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const header = `
import type { ResponseTo, Schemas } from '${resolve('server/own-contract/handler.ts')}';
import type { ApiHandler } from '${resolve('server/features/api-handler.ts')}';
declare const contact: Schemas['Contact'];`;

/** Returns the compiler's messages for the source code of a handler, as lines. */
async function messagesFor(source: string): Promise<string[]> {
  const folder = await temporaryFolder();
  const file = join(folder, 'handler.ts');
  await writeFile(file, header + source);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [file], include: [] }, ts.sys, '.');
  const program = ts.createProgram([file], { ...options, types: [] });
  return ts
    .getPreEmitDiagnostics(program)
    .flatMap(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'));
}

test.each([
  ['getContact', '{ status: 200, body: { ...contact, first_name: 7 } }', "'body.first_name'"],
  ['getContact', '{ status: 200, body: { ...contact, frist_name: null } }', "'frist_name'"],
  ['createContact', "{ status: 201, headers: { Location: '/' }, body: { id: '7' } }", "'body.id'"],
])(
  'the first three lines of the error name operation %s and the property: %s',
  async (id, response, named) => {
    const lines = await messagesFor(`
    export const handler: ApiHandler<'${id}'> = async (): Promise<ResponseTo<'${id}'>> => {
      return ${response};
    };`);
    expect(lines.join('\n')).not.toContain('no exported member');
    const top = lines.slice(0, 3).join('\n');
    expect(top).toContain(`"${id}"`);
    expect(top).toContain(named);
  },
);
