import { Option } from 'commander';
import { pathOfCaller } from './option-parsers.ts';

/** The option `--allow-outside`. @param folders those of the settings */
export const allowOutsideOption = (folders: readonly string[] = []): Option =>
  new Option(
    '--allow-outside <folder>',
    'folder outside of the project that references of the document may lead into; can be repeated',
  )
    .argParser((folder: string, others: readonly string[]) => [...others, pathOfCaller(folder)])
    .default(folders, folders.length > 0 ? folders.join(', ') : 'none');
