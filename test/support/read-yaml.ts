import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads a YAML file that belongs to a test, such as a document or a list of cases. */
export const readYaml = (folder: string, name: string) =>
  parse(readFileSync(join(folder, name), 'utf8'), { merge: true, maxAliasCount: -1 });
