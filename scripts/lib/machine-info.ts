import { cpus } from 'node:os';
import { InvalidArgumentError } from 'commander';

/** Returns the CPU and the Node version of the machine on which a measurement runs. */
export const machineInfo = () => ({
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  node: process.version,
});

/** Formats the machine in one line. */
export const formatMachine = ({ cpu, cores, node }: ReturnType<typeof machineInfo>): string =>
  `${cpu}, ${cores} cores, Node ${node}`;

/**
 * Creates a parser of positive integers for command-line options. The parser throws InvalidArgumentError.
 * @param most the largest allowed integer
 */
export const integerUpTo =
  (most: number) =>
  (text: string): number => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be an integer from 1 to ${most}.`);
  };
