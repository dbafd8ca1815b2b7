import { resolve } from 'node:path';

/** Where our contract is, from the project's root. */
export const parleyContract = 'openapi/openapi.yaml';

/** Whether a contract is ours, however its path is written. */
export const isParleyContract = (api: string): boolean =>
  [parleyContract, 'generated/openapi.json'].some((path) => resolve(path) === resolve(api));
