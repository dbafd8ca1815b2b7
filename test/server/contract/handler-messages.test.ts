import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const header = `
import type { ResponseTo, Schemas } from '${resolve('server/own-contract/handler.ts')}';
import type { ApiHandler } from '${resolve('server/features/api-handler.ts')}';
declare const contact: Schemas['Contact'];`;

const handlers = [
  ['getContact', '{ status: 200, body: { ...contact, first_name: 7 } }', "'body.first_name'"],
  ['getContact', '{ status: 200, body: { ...contact, frist_name: null } }', "'frist_name'"],
  ['createContact', "{ status: 201, headers: { Location: '/' }, body: { id: '7' } }", "'body.id'"],
] as const;

test('the first three lines of an error in a handler name the operation and the property', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const files = handlers.map((_, index) => join(folder, `handler-${index}.ts`));
  for (const [index, [id, response]] of handlers.entries())
    await writeFile(
      files[index] ?? '',
      `${header}
      export const handler: ApiHandler<'${id}'> = async (): Promise<ResponseTo<'${id}'>> => {
        return ${response};
      };`,
    );
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: [] }, ts.sys, '.');
  // One program, because it loads all types of the contract.
  const program = ts.createProgram(files, { ...options, types: [] });
  for (const [index, [id, , named]] of handlers.entries()) {
    const lines = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(files[index] ?? ''))
      .flatMap(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'));
    expect(lines.join('\n')).not.toContain('no exported member');
    const top = lines.slice(0, 3).join('\n');
    expect(top).toContain(`"${id}"`);
    expect(top).toContain(named);
  }
});
