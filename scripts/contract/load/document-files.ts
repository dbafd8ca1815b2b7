import { isUtf8 } from 'node:buffer';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** The files that a document may read. */
export interface DocumentScope {
  /** Folders outside of the project that references may lead into (default: none). */
  allowOutside?: readonly string[] | undefined;
  /** The folder of the project (default: see `projectFolderOf`). */
  project?: string | undefined;
}

/** Maximum number of files that one document may refer to, and their maximum size together. */
const maxFiles = 10_000;
const maxMebibytes = 32;
export const maxBytes = maxMebibytes * 2 ** 20;

/** The document leads to something that it may not read, or is too large. */
export class RefusedDocument extends Error {
  readonly fix: string;
  /** A JSON Pointer to what is refused, if it is only a part of the document. */
  readonly pointer: string | undefined;
  constructor(message: string, fix: string, pointer?: string) {
    super(message);
    this.fix = fix;
    this.pointer = pointer;
  }
}

export const tooLarge = (): RefusedDocument =>
  new RefusedDocument(
    `makes the document larger than ${maxMebibytes} MiB, with the files and aliases that it refers to`,
    'Split the document, and refer to shared schemas with $ref.',
  );

/** Reads the files of one document. */
export interface DocumentFiles {
  /**
   * Reads a file as text.
   * @throws RefusedDocument if the document may not read it; the errors of `node:fs`
   */
  read: (path: string) => Promise<string>;
  /** Adds to the size of the document, in bytes. @throws RefusedDocument if that is too much */
  grow: (bytes: number) => void;
}

/**
 * Returns the folder whose files a document may refer to: the git checkout of the working directory, if the document is
 * in it. Without git, it is the working directory. For a document elsewhere, it is the git checkout of the document, or the
 * document's own folder. The home folder and those around it are no project, even if they are a git checkout: a document in
 * the home folder itself may refer to no other file.
 * @param file path of the document's root file
 */
export function projectFolderOf(file: string): string {
  const here = projectAround(process.cwd());
  if (here !== undefined && isWithin(here, resolve(file))) return here;
  const own = dirname(resolve(file));
  // A symbolic link to a folder must not decide about the project, unless the user has named a path through it.
  const real = existsSync(own) ? realpathSync(own) : own;
  return projectAround(real) ?? join(real, basename(file));
}

/** Creates a reader for the files of a document. @param file path of the document's root file */
export function createDocumentFiles(file: string, scope: DocumentScope = {}): DocumentFiles {
  const project = scope.project ?? projectFolderOf(file);
  const named = [dirname(resolve(file)), project, ...(scope.allowOutside ?? [])].map((each) => resolve(each));
  // The folder of the root file is only another spelling of a path in the project.
  const allowed = named.slice(1).map((each) => (existsSync(each) ? realpathSync(each) : each));
  let left = maxFiles;
  let bytesLeft = maxBytes;
  const refuseOutside = (path: string) =>
    new RefusedDocument(
      `leads outside of the project's folder (${allowed[0]})`,
      `Copy ${basename(path)} into the project, or allow its folder: --allow-outside ${dirname(path)}`,
    );
  const grow = (bytes: number): void => {
    bytesLeft -= bytes;
    if (bytesLeft < 0) throw tooLarge();
  };
  return {
    grow,
    async read(given) {
      const path = resolve(given);
      // Without this, the message would reveal which files exist outside.
      if (![...named, ...allowed].some((folder) => isWithin(folder, path))) throw refuseOutside(path);
      const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
        const remedy =
          path === resolve(file) ? ' Name the document: --api FILE, or api in the settings.' : '';
        throw error.code === 'ENOENT' ? new Error(`There is no file ${path}.${remedy}`) : error;
      });
      if (!allowed.some((folder) => isWithin(folder, real))) throw refuseOutside(real);
      const found = await stat(real);
      if (!found.isFile()) throw new Error(`${path} is not a file.`);
      left -= 1;
      if (left < 0)
        throw new RefusedDocument(
          `makes the document use more than ${maxFiles} files`,
          'Join some of its files.',
        );
      grow(found.size);
      const bytes = await readFile(real);
      // Invalid bytes would become other characters, in names and patterns, too.
      if (!isUtf8(bytes)) throw new Error(`${path} is not valid UTF-8. Save it in this encoding.`);
      return bytes.toString();
    },
  };
}

/** Returns the git checkout of a folder, or the folder itself; undefined if it is no project. */
function projectAround(folder: string): string | undefined {
  const checkout = checkoutOf(folder);
  return [checkout, folder].find((each) => each !== undefined && !isTooWide(each));
}

/** Whether a folder contains more than projects: the home folder, a folder around it, or the root of the file system. */
function isTooWide(folder: string): boolean {
  const home = homedir();
  return folder === parse(folder).root || isWithin(folder, existsSync(home) ? realpathSync(home) : home);
}

/** Whether a file belongs to the project of the working directory. Configurations of other projects must not run code. */
export function isOfWorkingProject(file: string): boolean {
  const project = projectAround(process.cwd());
  return project !== undefined && isWithin(realpathSync(project), realpathSync(file));
}

function checkoutOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : checkoutOf(parent);
}

/** Whether an absolute path is a folder, or inside it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
