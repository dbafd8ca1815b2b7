import { resolve } from 'node:path';

/** Where our contract is, from the project's root. */
export const ownContract = 'openapi/openapi.yaml';

/** Whether a contract is ours, however its path is written. */
export const isOwn = (api: string): boolean =>
  [ownContract, 'generated/openapi.json'].some((path) => resolve(path) === resolve(api));
