import { generateCommand } from '../../../lib/command-name.ts';
import { compareFiles, generateFiles } from '../../generate/files.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';

/** Checks that `generated/` is up to date with the contract. */
export async function checkGenerated({ api, config }: CheckContext): Promise<CheckReport> {
  const command = generateCommand();
  const files = await generateFiles(api, command, config);
  const findings = (await compareFiles(config.out, files)).map(({ name, problem }): Finding => {
    const file = `${config.out}/${name}`;
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
              : `${file} is stale: the contract has changed since it was generated.`,
          fix: `Run: ${command}`,
          file: problem === 'missing' ? undefined : file,
          line: problem === 'missing' ? undefined : 1,
        };
  });
  return { findings, summary: `${Object.keys(files).length} files` };
}
