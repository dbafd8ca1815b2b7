import { InvalidArgumentError, Option } from 'commander';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { repeated, wholeNumber } from '../lib/option-parsers.ts';
import { printJson, printLine, printLines, successLine } from '../lib/terminal.ts';
import { formatConformanceReport, isIncomplete } from '../testing/conformance/report-text.ts';
import { type Phase, phases } from '../testing/conformance/session.ts';

interface Options extends ApiOptions {
  url: string;
  header: Record<string, string>;
  query: Record<string, string>;
  phase: Phase[];
  only: string[];
  exclude: string[];
  unreadBodies: string[];
  runs: number;
  seed: number;
  timeout: number;
  maxSeconds?: number;
  strict?: true;
  json?: true;
}

export const test = contractCommand<Options>({
  declare: (program, _config, name) =>
    program
      .description(
        'Test a service against its contract with examples, limits, random valid and invalid requests, and sequences of creates, reads, updates and deletes. It writes to the service: do not use it on data that you need.',
      )
      .requiredOption('--url <url>', 'URL of the service; the paths of the contract are appended')
      .option(
        '--header <name: value>',
        'header of every request, for credentials or a tenant; takes the place of random values; can be repeated',
        headerFrom,
        {},
      )
      .option(
        '--query <name=value>',
        'query parameter of every request, for an API key; operations that do not document the key do not get it; can be repeated',
        pairFrom,
        {},
      )
      .addOption(new Option('--phase <name...>', 'run only these phases').choices(phases).default([]))
      .option(
        '--operation, --only <name>',
        "test only these operations: an operation ID, 'METHOD /path' or /path, in which * stands for any text; can be repeated. Others are called only to create or read what these need",
        repeated,
        [],
      )
      .option(
        '--exclude <name>',
        'leave out these operations, named in the same way; can be repeated',
        repeated,
        [],
      )
      .option(
        '--unread-bodies <name>',
        'send these operations no invalid bodies, because the middleware does not read them; can be repeated',
        repeated,
        [],
      )
      .option(
        '--runs <count>',
        'valid random requests per operation, and about as many invalid ones',
        wholeNumber,
        100,
      )
      .option('--seed <number>', 'seed of the random generator (default: random)', wholeNumber)
      .option('--timeout <seconds>', 'timeout of a request, in seconds', wholeNumber, 10)
      .option(
        '--max-seconds <seconds>',
        'end the run after this time; the report says what was not tested',
        wholeNumber,
      )
      .option('--strict', 'exit with 1 also if a part of the contract could not be tested')
      .option('--json', 'print the report as JSON')
      .addHelpText(
        'after',
        `
Examples:
  ${name} --url http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN"
  ${name} --api other.yaml --url https://test.example.com/v2 --header 'X-Key: k' --seed 7
  ${name} --url http://127.0.0.1:8080 --only createContact --phase random --runs 1000
  ${name} --url http://127.0.0.1:8080 --exclude '/admin/*' --exclude 'POST /keys/{id}/rotate'

Operations that reset or purge data, delete a whole collection, rotate or revoke credentials, log out, or shut down the
service are tested last. They are recognized by their ID, path, summary and description. The report names them; leave them
out with --exclude. If an operation ends the credentials or the service, the report names it, and the run ends.

Curl commands have variables instead of the values of --header and --query. Their names are those of the headers and
parameters in capitals, with _ for all other characters: $X_API_KEY is the value of X-API-Key.

If a rule beyond the schemas rejects requests, list its locations under x-rules of the operation, such as
x-rules: [{ fields: [query/to, /end], rule: "to is after from" }]; the error response must name one of these fields. Mark
schemas of IDs with x-id-of, so that existing IDs are used.

Exit codes: 0 the service conforms, 1 there are findings (with --strict also: a part was not tested), 2 usage error, or nothing could be tested.`,
      ),
  async run({ api, url, ...options }, { progress }) {
    // Imported lazily, so that --help and usage errors stay fast.
    const { loadContract } = await import('../contract/load/load-contract.ts');
    const { runConformance } = await import('../testing/conformance/run.ts');
    const { createRequestSender } = await import('../testing/requests/send.ts');

    const base = addressFrom(url);
    const contract = await loadContract(api, options);
    const { send, close } = createRequestSender(base, options.timeout * 1_000);
    await send({ method: 'GET', target: '/', headers: {}, body: undefined }).catch((error: Error) => {
      throw new Error(
        `${url} does not respond: ${error.message || String(error)}\n  Start the service first, or set another --url.`,
      );
    });
    const report = await runConformance({
      contract,
      send,
      base,
      credentials: { headers: options.header, query: options.query },
      phases: options.phase.length > 0 ? phases.filter((phase) => options.phase.includes(phase)) : phases,
      only: options.only,
      exclude: options.exclude,
      unreadBodies: options.unreadBodies,
      runs: options.runs,
      // At most nine digits, as `wholeNumber` accepts, so that --seed can repeat the run.
      seed: options.seed ?? Math.floor(Math.random() * 1_000_000_000),
      maxSeconds: options.maxSeconds,
      onProgress: (text) => progress.show(text),
      onWait: (text) => progress.say(text),
    });
    close();
    progress.end();
    if (report.operations.length === 0 && contract.webhooks.length > 0) {
      printLine(successLine(`${api} describes only webhooks. A service has no operation to test.`));
      return 0;
    }
    if (report.requests === 0)
      throw new Error(
        `Nothing was tested in ${api}. ${report.gaps.notes.join(' ') || 'It has no operation, or none for these phases.'}`,
      );
    if (options.json) printJson(report, 2);
    else printLines(formatConformanceReport(report, options.strict));
    return report.findings.length > 0 || (options.strict && isIncomplete(report)) ? 1 : 0;
  },
});

/**
 * Returns the URL without a trailing slash.
 * @throws Error if the URL is not http or https, or contains more than scheme, host, port and path
 */
function addressFrom(text: string): string {
  const address = URL.parse(text);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new Error(`--url ${text} is not an http or https URL.`);
  if (address.username || address.password || address.search || address.hash)
    throw new Error('--url must not contain credentials. Use --header or --query.');
  return text.replace(/\/$/, '');
}

function headerFrom(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must have the form "Name: value".');
  return { ...before, [name]: value };
}

function pairFrom(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must have the form name=value.');
  return { ...before, [name]: value };
}
