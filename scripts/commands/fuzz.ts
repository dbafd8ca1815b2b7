import { corpusInputs } from '../lab/fuzz/corpus.ts';
import { mutatedInputs } from '../lab/fuzz/mutated-inputs.ts';
import { type FuzzResult, sendInputs } from '../lab/fuzz/send-inputs.ts';
import { startTargetService } from '../lab/fuzz/target-service.ts';
import { command } from '../lib/command.ts';
import { machineText } from '../lib/machine-text.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { createPrng } from '../lib/prng.ts';
import { failureLine, printLine, successLine } from '../lib/terminal.ts';

const megabyte = 1_048_576;
/** Maximum growth of the heap in MB, measured after the caches are full. */
const maxGrown = 8;
const warmUpRequests = 2_000;

export const fuzz = command<{ requests: number; seed: number }>({
  declare: (program) =>
    program
      .description(
        'Send malformed and hostile requests to a service that is started for this purpose. Each response must be the expected error, or the accepted data must be stored and read back unchanged.',
      )
      .option('--requests <count>', 'number of random requests', integerUpTo(10_000_000), 100_000)
      .option(
        '--seed <number>',
        'seed of the random generator; the same seed sends the same requests',
        integerUpTo(2 ** 31),
        1,
      )
      .addHelpText(
        'after',
        '\nExample:\n  npm run fuzz -- --requests 5000 --seed 7\n\nExit codes: 0 every response was as expected, 1 one was not, 2 usage error, or the service could not run.',
      ),
  async run({ requests, seed }, { progress }) {
    const { port, target, lives, heap, close } = await startTargetService();
    try {
      const at = { port, token: target.token };
      const sendMutated = (count: number, ownSeed: number) =>
        sendInputs(mutatedInputs(target, count, createPrng(ownSeed)), at, (done) =>
          progress.show(`${done.toLocaleString('en')} of ${count.toLocaleString('en')}`),
        );
      // Loads the code and fills the caches before the heap is measured.
      await sendMutated(Math.min(warmUpRequests, requests), seed + 1);
      const before = await heap();
      const corpus = await sendInputs(corpusInputs(target), at);
      const mutated = await sendMutated(requests, seed);
      if (!lives()) throw new Error('The service exited.');
      const grown = ((await heap()) - before) / megabyte;
      progress.end();

      printLine(`${machineText()}, seed ${seed}\n`);
      report('inputs that have broken other services (scripts/lab/fuzz/corpus.ts)', corpus);
      report('valid requests with other paths, headers and bytes', mutated);
      const isSmall = grown <= maxGrown;
      printLine(
        (isSmall ? successLine : failureLine)(`heap: ${grown.toFixed(1)} MB growth (at most ${maxGrown})`),
      );
      return isSmall && [corpus, mutated].every(({ wrong }) => wrong.length === 0) ? 0 : 1;
    } finally {
      await close();
    }
  },
});

function report(what: string, { requests, statuses, readBack, wrong }: FuzzResult): void {
  const counts = Object.entries(statuses).map(
    ([status, count]) => `${status === 'none' ? 'closed' : status} ${count.toLocaleString('en')}`,
  );
  printLine((wrong.length === 0 ? successLine : failureLine)(`${requests.toLocaleString('en')} ${what}`));
  printLine(`  ${counts.join(', ')}; ${readBack} texts read back unchanged`);
  for (const { why, bytes } of wrong) printLine(`  ${why}\n    ${JSON.stringify(bytes.slice(0, 600))}`);
}
