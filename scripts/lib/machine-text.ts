import { cpus } from 'node:os';

/** Describes the machine on which a measurement runs, in one line. */
export const machineText = (): string =>
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`;
