import { join } from 'node:path';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { mockUrl } from '../../../../scripts/lib/ports.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';

/** Builds the portal of Parley for the tests of a file. @param options URL of the mock, and the base path @returns the folder */
export async function buildPortal(options: { mock?: string; base?: string } = {}): Promise<string> {
  const out = join(await temporaryFolder(afterAllTests), 'docs');
  await buildSite({ api: contractConfig.api, out, mock: mockUrl, config: contractConfig, ...options });
  return out;
}
