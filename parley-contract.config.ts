import type { ContractConfig } from './scripts/contract/config.ts';
import { startServiceProcess } from './scripts/lib/service-process.ts';
import { createHttpServer } from './server/http/server.ts';
import { pageRules } from './server/page-rules.ts';

/** What the toolchain needs to know about Parley. */
export const contractConfig: ContractConfig = {
  api: 'openapi/openapi.yaml',
  out: 'generated',
  copies: ['generated/openapi.json'],
  portal: {
    client: {
      variable: 'parley',
      setup: (url, token) =>
        `import { createClient } from 'parley-client';\nconst parley = createClient({\n  baseUrl: '${url}',\n  token: '${token}',\n});`,
      pack: async (folder) => (await import('./scripts/contract/client/build.ts')).packClient(folder),
    },
    mockCommand: 'npm run mock',
    subscription: async (document) => {
      const { subscriptionTo } = await import('./scripts/guide-tables/contract-tables.ts');
      return (type) => subscriptionTo(document, type);
    },
  },
  pageMock: true,
  ...pageRules,
  pageRules: 'server/page-rules.ts',
  createServer: createHttpServer,
  mockTokens: 'scoped',
  tables: {
    files: [
      'generated/documents/additions.md',
      'openapi/decisions.md',
      'openapi/guides/toolchain-reference.md',
    ],
    load: async (document) => (await import('./scripts/guide-tables/guide-tables.ts')).guideTables(document),
  },
  derived: async () => (await import('./scripts/derived/derived-files.ts')).derivedFiles(),
  startService: startServiceProcess,
  startStatefulService: async (options) => {
    const { startDemoService } = await import('./scripts/demo-service/demo-service.ts');
    return startDemoService(options);
  },
};

export default contractConfig;
