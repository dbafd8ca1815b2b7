import { relative } from 'node:path';
import { readPolicy } from '../contract/check/policy.ts';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';

export const lint = contractCommand<ApiOptions & { config?: string }>({
  declare: (program, _config, name) =>
    program
      .description('Lint the contract with Redocly and the rules of its configuration.')
      .option(
        '--config <file>',
        "configuration of Redocly (default: redocly.yaml here, if its apis list the contract, or in the contract's folder, or here without apis; otherwise the rules of OpenAPI itself)",
      )
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --api other/openapi.yaml

Exit codes: 0 no errors, 1 errors or disabled operations, 2 usage error, or the contract is refused, which the last lines
explain.`,
      ),
  async run({ api, config, allowOutside }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { loadContract } = await import('../contract/load/load-contract.ts');
    const { RefusedDocument } = await import('../contract/load/document-files.ts');
    const { createSourceMap } = await import('../contract/load/source-map.ts');
    const { assertWithinLimits } = await import('../contract/load/bundle-within-limits.ts');
    const { lintDocuments } = await import('../contract/lint/lint-documents.ts');
    const { disabledOperationsOf } = await import('../contract/model/disabled-operations.ts');

    // The rules do not report all mistakes that make a document unusable, and the loader does not report all that the rules do.
    const loaded = await loadContract(api, { allowOutside }).catch((error: Error) => error);
    const refusal = loaded instanceof Error ? loaded : undefined;
    if (refusal instanceof RefusedDocument || refusal?.cause instanceof RefusedDocument) throw refusal;
    const { redocly } = await readPolicy(config, api);
    // Redocly reads files without limits.
    await assertWithinLimits(api, { allowOutside });
    const problems = await lintDocuments([api], redocly).catch((error: unknown) => {
      throw refusal ?? error;
    });
    const { locateIn } = createSourceMap(api, { allowOutside });
    for (const { ruleId, severity, message, suggest = [], location } of problems) {
      const [first] = location;
      const pointer = (first?.pointer ?? '').replace(/^#/, '');
      const place = first && (await locateIn(relative('.', first.source.ref), pointer));
      const at = place === undefined ? api : `${place.file}:${place.line}:${place.column}`;
      const advice = suggest.length > 0 ? `\n  → Did you mean ${suggest.join(', ')}?` : '';
      printLine(
        `${severity === 'error' ? 'error' : 'warning'} ${ruleId} ${at}\n  ${message.trim().replaceAll(/\s*\n\s*/g, '\n  ')}${advice}`,
      );
    }
    if (loaded instanceof Error) throw loaded;
    // Loading has named them.
    const disabled = disabledOperationsOf(loaded.document).length;
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    const total = `${api}: ${errors} errors, ${problems.length - errors} warnings, ${disabled} disabled operations`;
    const isFine = errors === 0 && disabled === 0;
    printLine(isFine ? successLine(total) : failureLine(total));
    return isFine ? 0 : 1;
  },
});
