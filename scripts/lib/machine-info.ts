import { cpus } from 'node:os';
import { InvalidArgumentError } from 'commander';

/** What figures were measured on. */
export const machineInfo = () => ({
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  node: process.version,
});

/** The machine in a line, for people. */
export const formatMachine = ({ cpu, cores, node }: ReturnType<typeof machineInfo>): string =>
  `${cpu}, ${cores} cores, Node ${node}`;

/** Reads how many from the command line. @param most at the most @throws InvalidArgumentError */
export const integerUpTo =
  (most: number) =>
  (text: string): number => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
