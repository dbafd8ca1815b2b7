import type { CheckContext, CheckReport, Finding } from '../check.ts';
import { validateExamples } from '../validate-examples.ts';

/** Validates every example against its schema, with Ajv and JSON Schema 2020-12. */
export async function checkExamples({ document, sources }: CheckContext): Promise<CheckReport> {
  const found = validateExamples(await document());
  const { locate } = await sources();
  const findings = found
    .filter(({ problems }) => problems.length > 0)
    .map(
      async ({ path, where, problems }): Promise<Finding> => ({
        rule: 'example-does-not-fit',
        severity: 'error',
        message: `The example of ${where} is invalid: ${problems.join('; ')}.`,
        fix: 'Change the example or the schema.',
        ...(await locate(path)),
      }),
    );
  return { findings: await Promise.all(findings), summary: `${found.length} examples` };
}
