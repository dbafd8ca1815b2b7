import { join } from 'node:path';
import { generateCommand } from '../../../lib/command-name.ts';
import { isOwnContract } from '../../config.ts';
import { staleDocuments } from '../../generate/document-tables.ts';
import { compareFiles, generateFiles } from '../../generate/files.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';

/** Checks that `generated/` is up to date with the contract. */
export async function checkGenerated({ api, config }: CheckContext): Promise<CheckReport> {
  const command = generateCommand();
  const { contract, files: made } = await generateFiles(api, command, config);
  const isOwn = isOwnContract(config, api);
  const files = { ...(isOwn ? await config.derived?.() : {}), ...made };
  const documents = isOwn ? await staleDocuments(config, contract.document) : {};
  const differences = await compareFiles(config.out, files, Object.keys(documents));
  const pathsOf = (wanted: string) =>
    differences.flatMap(({ name, problem }) => (problem === wanted ? join(config.out, name) : []));
  const finding = (problem: string, rest: Pick<Finding, 'message' | 'fix' | 'file'>): Finding => ({
    rule: `generated-${problem}`,
    severity: 'error',
    line: rest.file === undefined ? undefined : 1,
    ...rest,
  });
  const missing = pathsOf('missing').join(', ');
  const findings = [
    ...pathsOf('stray').map((file) =>
      finding('stray', { message: `${file} is not a generated file.`, fix: `Run: git rm ${file}`, file }),
    ),
    ...pathsOf('stale').map((file) => {
      const message = `${file} is stale: what it is generated from has changed.`;
      return finding('stale', { message, fix: `Run: ${command}`, file });
    }),
  ];
  if (missing !== '')
    findings.push(
      finding('missing', {
        message: `Generated files are missing: ${missing}.`,
        fix: `Run: ${command}. If it has written them to another folder, set out in the settings to that folder`,
      }),
    );
  return { findings, summary: `${Object.keys(files).length} files` };
}
