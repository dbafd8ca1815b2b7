import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../server/lib/error-message.ts';
import { listen } from '../../server/lib/listen.ts';
import { serverUrl } from '../../server/lib/server-url.ts';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { commandIo } from '../lib/command-io.ts';
import { mockUrl, parsePort } from '../lib/ports.ts';
import { shellWord } from '../lib/shell-text.ts';
import { failureLine, printJson, printLine, successLine } from '../lib/terminal.ts';
import { watchContract } from '../lib/watch-contract.ts';

interface Options extends ApiOptions {
  out: string;
  mock: string;
  base?: string;
  host: string;
  port: number;
  serve?: true;
  json?: true;
}

export const docs = contractCommand<Options>({
  declare: (program, _config, name) =>
    program
      .description('Build the portal: guides, reference, changelog, decisions, downloads.')
      .option(
        '--out <folder>',
        'output folder, which is emptied first; --serve uses a temporary one',
        'dist/docs',
      )
      .option('--mock <address>', 'URL of the mock that samples use', mockUrl)
      .option('--base <path>', 'base path on the host, for the links of the 404 page')
      .option('--serve', 'serve the portal, rebuild it when its sources change, and reload open pages')
      .option('--host <address>', 'with --serve: the address to listen on', '127.0.0.1')
      .option('--port <port>', 'with --serve: the port to listen on; 0 takes a free one', parsePort, 4020)
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Examples:
  ${name}
  ${name} --serve

Pages are made of guides/, home.md, CHANGELOG.md and decisions.md in the contract's folder, too.

The portal needs no server: open its index.html, or publish the folder under any path of a static host.

Exit codes: 0 success, 2 usage error, the contract or a guide cannot be read, or the port is in use.`,
      ),
  async run({ api, allowOutside, out, mock, base, serve, host, port, json }, { name, settings, progress }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { createDocsServer } = await import('../contract/docs/dev-server.ts');
    const { buildSite } = await import('../contract/docs/site.ts');

    // The served pages contain a script that reloads them, which must not be published.
    const folder = serve ? await mkdtemp(join(tmpdir(), 'parley-docs-')) : out;

    const config = { ...settings, allowOutside };
    const { pages } = await buildSite({
      api,
      out: folder,
      mock,
      base: serve ? '/' : base,
      live: serve === true,
      onProgress: progress.show,
      config,
    });
    if (json) printJson({ out: folder, pages });
    else printLine(successLine(`Built ${pages} pages in ${shellWord(folder)}.`));
    if (!serve) return 0;
    const { server, notifyChanged } = createDocsServer(folder, { hosts: [host] });
    await listen(server, { port, host }, `Choose another port: ${name} --serve --port 4021`);
    const address = serverUrl(server, host);
    if (json) printJson({ address });
    else printLine(`  It is served at ${address}/ until Ctrl+C.`);
    const unwatch = watchContract(
      api,
      async () => {
        try {
          await buildSite({ api, out: folder, mock, base: '/', live: true, config });
          notifyChanged();
          if (!json) printLine(successLine('Rebuilt.'));
        } catch (error) {
          printLine(failureLine(`Not rebuilt: ${errorMessage(error)}`), 'error');
        }
      },
      folder,
    );
    const stop = () => {
      unwatch();
      server.close();
      server.closeAllConnections();
      void rm(folder, { recursive: true, force: true });
    };
    commandIo().onShutdown(stop);
    return 0;
  },
});
