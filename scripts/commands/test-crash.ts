import { testPowerLoss } from '../lab/crash/power-loss.ts';
import { command } from '../lib/command.ts';
import { machineText } from '../lib/machine-text.ts';
import { integerUpTo } from '../lib/option-parsers.ts';
import { createPrng } from '../lib/prng.ts';
import { printLine } from '../lib/terminal.ts';

/** Maximum number of failures shown. */
const maxShown = 10;

export const testCrash = command<{ rounds: number; seed: number }>({
  declare: (program) =>
    program
      .description(
        'Simulate a power loss between any two system calls of a service that starts, creates its embedded database, completes creates and exits. Each time, the disk has all written data, only synced data, or random sectors of the rest. Acknowledged writes must survive.',
      )
      .option('--rounds <count>', 'number of disks', integerUpTo(100_000), 3_000)
      .option('--seed <number>', 'seed of the random generator', integerUpTo(2 ** 31), 1)
      .addHelpText(
        'after',
        '\nIt needs strace.\n\nExamples:\n  npm run test:crash\n  npm run test:crash -- --rounds 20 --seed 7\n\nExit codes: 0 nothing was lost, 1 something was lost, 2 usage error, or it could not run.',
      ),
  async run({ rounds, seed }, { progress }) {
    const { calls, states, acknowledged, wrong } = await testPowerLoss({
      rounds,
      prng: createPrng(seed),
      onRound: (done) => progress.show(`${done} of ${rounds}`),
    });
    progress.end();
    printLine(`${machineText()}, seed ${seed}\n`);
    printLine(
      `${wrong.length === 0 ? '✔' : '✘'} ${states} disks after ${calls} system calls, which acknowledged ${acknowledged} creates`,
    );
    for (const each of wrong.slice(0, maxShown)) printLine(`  ${each}`);
    if (wrong.length > maxShown) printLine(`  and ${wrong.length - maxShown} more`);
    return wrong.length === 0 ? 0 : 1;
  },
});
