import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../server/lib/json-object.ts';
import { printLine } from '../../lib/terminal.ts';
import { isOfWorkingProject } from '../load/document-files.ts';
import { parseYaml } from '../load/parse-yaml.ts';

/** A project's requirements for its contract. A requirement that is undefined is not checked. */
export interface CheckPolicy {
  /** Path of Redocly's configuration, which sets the lint rules. */
  redocly: string;
  /** The minimum score of `redocly score`, out of 100. */
  minimumScore?: number;
  /** `semver`: `info.version` must be high enough for the changes. */
  version?: 'semver';
  /** Path of the changelog, which must describe changes. It requires `version`. */
  changelog?: string;
  /** Patterns of the known consumers: manifests, and projects whose sources are at hand. */
  consumers?: string[];
}

/** The configuration for contracts without one: only the rules of OpenAPI itself. */
const specificationOnly = fileURLToPath(new URL('specification-only.yaml', import.meta.url));

const section = 'x-contract-check';

/**
 * Reads the policy from the section `x-contract-check` of a configuration of Redocly.
 * @param given path of the configuration (default: `redocly.yaml` in the working directory if it lists the contract in
 * `apis`, otherwise the one in the folder of the contract if that belongs to the same project, otherwise that in the
 * working directory if it has no `apis`, otherwise only the rules of OpenAPI itself)
 * @param api path of the contract's root
 * @throws Error naming the file and the setting that is wrong
 */
export async function readPolicy(given: string | undefined, api: string): Promise<CheckPolicy> {
  const file = given ?? (await defaultConfiguration(api));
  const settings = (await readYaml(file))[section];
  const policy: CheckPolicy = { redocly: file };
  if (settings === undefined) return policy;
  const wrong = (message: string) => new Error(`${file}: ${section} ${message}`);
  if (!isObject(settings)) throw wrong('must be an object.');
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'minimum-score' && typeof value === 'number' && value >= 0 && value <= 100)
      policy.minimumScore = value;
    else if (name === 'version' && value === 'semver') policy.version = value;
    else if (name === 'changelog' && typeof value === 'string') policy.changelog = join(dirname(file), value);
    else if (name === 'consumers' && isListOfTexts(value))
      policy.consumers = value.map((pattern) => join(dirname(file), pattern));
    else
      throw wrong(
        `has ${name}: ${JSON.stringify(value)}. Allowed are minimum-score (0 to 100), version (semver), changelog (a path, relative to the file) and consumers (a list of manifests and tsconfig.json files, as patterns relative to the file).`,
      );
  }
  if (policy.changelog !== undefined && policy.version === undefined)
    throw wrong('has changelog without version. Add: version: semver');
  return policy;
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

async function defaultConfiguration(api: string): Promise<string> {
  const here = 'redocly.yaml';
  const apis = existsSync(here) ? ((await readYaml(here)).apis ?? 'all') : undefined;
  const roots = Object.values(isObject(apis) ? apis : {}).map((each) => isObject(each) && each.root);
  if (roots.some((root) => typeof root === 'string' && resolve(root) === resolve(api))) return here;
  const beside = join(dirname(api), here);
  if (existsSync(beside) && isOfWorkingProject(beside)) return beside;
  if (apis === 'all') return here;
  const warn = (file: string, reason: string) =>
    printLine(`${file} is not used, because ${reason}. Use it: --config ${file}`, 'error');
  if (existsSync(beside)) warn(beside, 'its plugins would run code of another project');
  else if (apis !== undefined && existsSync(api) && isOfWorkingProject(api))
    warn(here, `its apis do not list ${api}`);
  return specificationOnly;
}

async function readYaml(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`The configuration ${file} cannot be read. Set another one: --config FILE`);
  });
  const root = parseYaml(file, text);
  return isObject(root) ? root : {};
}
