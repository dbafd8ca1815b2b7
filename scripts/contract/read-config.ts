import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentedErrors } from '../../server/contract/documented-errors.ts';
import { errorMessage } from '../../server/lib/error-message.ts';
import type { ContractConfig, ContractSettings } from './config.ts';

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `parley-contract.config.${extension}`);

/** Paths that are tried, in this order, if the settings do not name the contract. */
const usualPaths = ['openapi/openapi.yaml', 'openapi.yaml', 'openapi.yml', 'openapi.json'];

/**
 * Reads the settings of the project in the working directory from its `parley-contract.config.ts` or `.js`.
 * @returns the settings, with default values for those that are missing
 * @throws Error naming the file if it cannot be loaded
 */
export async function readConfig(): Promise<ContractConfig> {
  const file = names.find((name) => existsSync(name));
  return withDefaults(file === undefined ? {} : await settingsIn(file));
}

/** Returns settings with default values for those that are missing. */
export function withDefaults(settings: ContractSettings): ContractConfig {
  return {
    api: usualPaths.find((path) => existsSync(path)) ?? 'openapi.yaml',
    out: 'generated',
    copies: [],
    portal: {},
    pageMock: true,
    errors: documentedErrors,
    requestRules: {},
    createServer: (listener) => createServer(listener),
    ...settings,
  };
}

async function settingsIn(file: string): Promise<ContractSettings> {
  try {
    const { default: settings }: { default?: ContractSettings } = await import(
      pathToFileURL(resolve(file)).href
    );
    if (settings === undefined) throw new Error('it has no default export');
    return settings;
  } catch (error) {
    const reason = errorMessage(error);
    const hint = reason.includes('Unknown file extension')
      ? '\n  Node reads TypeScript from 22.18 on. With an older one, name it parley-contract.config.js.'
      : '';
    throw new Error(`${file} cannot be loaded: ${reason}${hint}`);
  }
}
