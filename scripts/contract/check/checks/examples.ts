import type { CheckContext, CheckReport, Finding } from '../check.ts';
import { validateExamples } from '../validate-examples.ts';

/** Validates every example against its schema, with the functions of the compiled contract. */
export async function checkExamples({ contract }: CheckContext): Promise<CheckReport> {
  const loaded = await contract();
  const found = validateExamples(loaded);
  const findings = found
    .filter(({ problems }) => problems.length > 0)
    .map(
      async ({ path, where, problems }): Promise<Finding> => ({
        rule: 'example-does-not-fit',
        severity: 'error',
        message: `The example of ${where} is invalid: ${problems.join('; ')}.`,
        fix: 'Change the example or the schema.',
        ...(await loaded.locate(path)),
      }),
    );
  return { findings: await Promise.all(findings), summary: `${found.length} examples` };
}
