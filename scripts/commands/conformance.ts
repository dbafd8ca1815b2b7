import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { exitWithUsageCode, ignoreBrokenPipe } from '../../server/lib/cli.ts';
import { createProgress } from '../../server/lib/progress.ts';
import { bundleContract } from '../lib/bundle-contract.ts';
import { printLine, reportFailure } from '../lib/terminal.ts';
import { formatJunit } from '../testing/conformance/report-junit.ts';
import { formatConformanceReport } from '../testing/conformance/report-text.ts';
import { type ConformanceReport, runConformance } from '../testing/conformance/run.ts';
import { type Phase, phases } from '../testing/conformance/session.ts';
import { createRequestSender } from '../testing/requests/send.ts';

ignoreBrokenPipe();

interface Options {
  api: string;
  url: string;
  header: Record<string, string>;
  query: Record<string, string>;
  phase: Phase[];
  operation: string[];
  runs: number;
  seed: number;
  timeout: number;
  json?: true;
  junit?: string;
}

const program = exitWithUsageCode(new Command('npm run conformance --'))
  .description(
    'Try a service against its contract: the examples, every limit, random requests right and wrong, and what\nis made, read, changed and deleted. It writes to the service: do not point it at data that you need.',
  )
  .option('--api <file>', 'the contract, OpenAPI 3.1', 'openapi/openapi.yaml')
  .requiredOption('--url <url>', 'where the service is; the paths of the contract are put behind it')
  .option('--header <name: value>', 'sent with every request: credentials; can be repeated', headerFrom, {})
  .option('--query <name=value>', 'a key that travels in the query; can be repeated', pairFrom, {})
  .option('--phase <name>', `only this phase (${phases.join(', ')}); can be repeated`, phaseFrom, [])
  .option(
    '--operation <id>',
    'only this operation; can be repeated',
    (id: string, ids: string[]) => [...ids, id],
    [],
  )
  .option('--runs <count>', 'random requests of each kind for each operation', countFrom, 100)
  .option('--seed <number>', 'what chance begins with; another one each time unless it is given', countFrom)
  .option('--timeout <seconds>', 'how long an answer may take', countFrom, 10)
  .option('--json', 'print the report as JSON')
  .option('--junit <file>', 'write the report as JUnit XML, too')
  .addHelpText(
    'after',
    `
Examples:
  npm run conformance -- --url http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN"
  npm run conformance -- --api other.yaml --url https://test.example.com/v2 --header 'X-Key: k' --seed 7
  npm run conformance -- --url http://127.0.0.1:8080 --operation createContact --phase random --runs 1000

Of what a rule refuses that no schema can state, the contract may tell the places under x-rules of an operation;
schemas may say with x-id-of whose ids their values are, so that those which are there can be used.

Exit codes: 0 the service keeps its contract, 1 there are findings, 2 called wrongly, or nothing could be tried.`,
  );
const { api, url, ...options } = program.parse().opts<Options>();

const progress = createProgress(process.stderr, options.json ?? false);
try {
  const base = addressFrom(url);
  const { send, close } = createRequestSender(base, options.timeout * 1_000);
  await send({ method: 'GET', target: '/', headers: {}, body: undefined }).catch((error: Error) => {
    throw new Error(
      `${url} does not answer: ${error.message || String(error)}\n  Start the service first, or give another --url.`,
    );
  });
  const report = await runConformance({
    document: await bundleContract(api),
    send,
    base,
    credentials: { headers: options.header, query: options.query },
    phases: options.phase.length > 0 ? phases.filter((phase) => options.phase.includes(phase)) : phases,
    only: options.operation,
    runs: options.runs,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    onProgress: (text) => progress.show(text),
  });
  close();
  progress.end();
  await tell(report);
} catch (error) {
  progress.end();
  reportFailure(error, options.json);
}

async function tell(report: ConformanceReport): Promise<void> {
  if (report.requests === 0)
    throw new Error(`Nothing could be tried of ${api}: no operation, or none for these phases.`);
  if (options.junit !== undefined) await writeFile(options.junit, formatJunit(report));
  printLine(options.json ? JSON.stringify(report, null, 2) : formatConformanceReport(report));
  if (report.findings.length > 0) process.exitCode = 1;
}

/** @throws Error if the URL contains more than scheme, host, port and path */
function addressFrom(text: string): string {
  const address = URL.parse(text);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new Error(`--url ${text} is no http or https address.`);
  if (address.username || address.password || address.search || address.hash)
    throw new Error('--url names a place only. Credentials belong to --header or --query.');
  return text.replace(/\/$/, '');
}

function headerFrom(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be written "Name: value".');
  return { ...before, [name]: value };
}

function pairFrom(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be written name=value.');
  return { ...before, [name]: value };
}

function phaseFrom(text: string, before: Phase[]): Phase[] {
  const found = phases.find((phase) => phase === text);
  if (!found) throw new InvalidArgumentError(`There are ${phases.join(', ')}.`);
  return [...before, found];
}

function countFrom(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
