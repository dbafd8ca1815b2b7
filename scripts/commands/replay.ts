import document from '../../generated/openapi.json' with { type: 'json' };
import type { RefusedRequest } from '../lab/replay/unchecked.ts';
import { command } from '../lib/command.ts';
import { failureLine, printLine, printLines, successLine } from '../lib/terminal.ts';
import { readRecording } from '../testing/coverage/recording.ts';

export const replay = command<object>({
  declare: (program, name) =>
    program
      .description(
        'Send the requests that the service refused during the last npm test through express-openapi-validator. It must refuse them too, except for what it is known not to check.',
      )
      .addHelpText(
        'after',
        `
Example:
  npm test && ${name}

Exit codes: 0 success, 1 it accepts a request that our validation refuses, 2 usage error, or there is no recording.`,
      ),
  async run() {
    // Imported lazily, so that --help and usage errors stay fast.
    const { createStockValidator } = await import(
      '../../server/validation/second-validator/stock-middleware.ts'
    );
    const { formatReplay, replayRefusals } = await import('../lab/replay/replay-refusals.ts');
    const recorded = await readRecording<RefusedRequest>('refused');
    const result = await replayRefusals(recorded, createStockValidator(document));
    const { summary, problems } = formatReplay(result);
    if (problems.length === 0) {
      printLine(successLine(summary));
      return 0;
    }
    printLine(failureLine(summary), 'error');
    printLines(problems, 'error');
    return 1;
  },
});
