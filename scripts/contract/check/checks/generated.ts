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
  const findings = differences.map(({ name, problem }): Finding => {
    const file = join(config.out, name);
    return problem === 'stray'
      ? {
          rule: 'generated-stray',
          severity: 'error',
          message: `${file} is not a generated file.`,
          fix: `Run: git rm ${file}`,
          file,
          line: 1,
        }
      : {
          rule: `generated-${problem}`,
          severity: 'error',
          message:
            problem === 'missing'
              ? `${file} is missing.`
              : `${file} is stale: what it is generated from has changed.`,
          fix: `Run: ${command}`,
          file: problem === 'missing' ? undefined : file,
          line: problem === 'missing' ? undefined : 1,
        };
  });
  return { findings, summary: `${Object.keys(files).length} files` };
}
