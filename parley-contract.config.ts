import type { ContractConfig } from './scripts/contract/config.ts';
import { startServiceProcess } from './scripts/lib/service-process.ts';
import { prefersTotalCount } from './server/contract/pagination.ts';
import { publicHttpsOnly } from './server/egress/policy.ts';
import { errorFormat } from './server/errors.ts';
import { createHttpServer } from './server/http/server.ts';
import { requestRulesFor } from './server/request-rules.ts';

const totals = ['x-total-count', 'preference-applied'];

/** What the toolchain needs to know about Parley. */
export const contractConfig: ContractConfig = {
  api: 'openapi/openapi.yaml',
  out: 'generated',
  copies: ['generated/openapi.json'],
  portal: {},
  uncovered: 'test/scripts/testing/coverage/uncovered.json',
  errors: errorFormat,
  requestRules: requestRulesFor(publicHttpsOnly),
  // The other optional headers describe the response itself, such as that messages were left out. An example cannot
  // know that.
  sendsOptionalHeader: (header, prefer) => totals.includes(header) && prefersTotalCount(prefer),
  createServer: createHttpServer,
  mockTokens: 'scoped',
  startService: startServiceProcess,
  startStatefulService: async (options) => {
    const { startDemoService } = await import('./server/demo/demo-service.ts');
    return startDemoService(options);
  },
};

export default contractConfig;
