import type { Reporter } from 'vitest/node';

const count = 10;

/** Reporter that prints the slowest test files after the summary, so that a slow file is noticed when it becomes slow. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= count) return;
    const times = modules.map((module) => ({
      name: `${module.relativeModuleId} (${module.project.name})`,
      seconds: module.diagnostic().duration / 1_000,
    }));
    const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, count);
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
    const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
    process.stdout.write(
      `\n Slowest of ${modules.length} files (${Math.round(total)} s in all)\n${lines.join('\n')}\n`,
    );
  },
};
