import { join } from 'node:path';
import { generateCommand } from '../../../lib/command-io.ts';
import { isOwnContract } from '../../config.ts';
import { staleDocuments } from '../../generate/document-tables.ts';
import { compareFiles, generateFiles } from '../../generate/files.ts';
import { type CheckContext, type CheckReport, errorFinding } from '../check.ts';

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
  const missing = pathsOf('missing').join(', ');
  const findings = [
    ...pathsOf('stray').map((file) =>
      errorFinding('generated-stray', `${file} is not a generated file.`, `Run: git rm ${file}`, at(file)),
    ),
    ...pathsOf('stale').map((file) => {
      const message = `${file} is stale: what it is generated from has changed.`;
      return errorFinding('generated-stale', message, `Run: ${command}`, at(file));
    }),
  ];
  if (missing !== '') {
    const fix = `Run: ${command}. If it has written them to another folder, set out in the settings to that folder`;
    findings.push(errorFinding('generated-missing', `Generated files are missing: ${missing}.`, fix));
  }
  return { findings, summary: `${Object.keys(files).length} files` };
}

const at = (file: string) => ({ file, line: 1 });
