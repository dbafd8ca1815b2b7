import { join } from 'node:path';
import { contractConfig } from '../../../../parley-contract.config.ts';
import type { ContractConfig } from '../../../../scripts/contract/config.ts';
import { buildSite } from '../../../../scripts/contract/docs/site.ts';
import { mockUrl } from '../../../../scripts/lib/ports.ts';
import { afterAllTests, temporaryFolder } from '../../../support/temporary-folder.ts';

/** As in Parley, but without the package of the client, which takes half of the time. */
const { pack: _, ...client } = contractConfig.portal.client ?? { variable: 'parley' };
const config = { ...contractConfig, portal: { ...contractConfig.portal, client } };

/**
 * Builds the portal of Parley for the tests of a file.
 * @param options URL of the mock, the base path, and settings
 * @returns the folder
 */
export async function buildPortal(
  options: { mock?: string; base?: string; config?: ContractConfig } = {},
): Promise<string> {
  const out = join(await temporaryFolder(afterAllTests), 'docs');
  await buildSite({ api: contractConfig.api, out, mock: mockUrl, config, ...options });
  return out;
}
