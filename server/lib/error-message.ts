const noPermission =
  'is not accessible to this user (permission denied). Change its permissions, or choose another path.';

/** The mistake in a path and its remedy, by code of the operating system (errno(3)). */
const pathErrors: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'cannot be written: it is on a read-only file system. Choose another path.',
  ENOENT: 'does not exist. Create it, or correct the path.',
  ENOTDIR: 'has a part that is a file, not a folder. Correct the path.',
  EEXIST: 'exists already. Remove it, or choose another path.',
  EISDIR: 'is a folder. Name a file.',
  ENOSPC: 'cannot be written: the disk is full. Free some space, or choose another path.',
};

const noAddress =
  'is not an address of this machine. Listen on one of them, such as 127.0.0.1, or on all: 0.0.0.0.';

/** The same for the address that a server listens on. */
const listenErrors: Readonly<Record<string, (host: string, port: number) => string>> = {
  EACCES: (_host, port) =>
    `This user may not listen on port ${port}. Ports below 1024 need a privilege: choose a larger one.`,
  EADDRINUSE: (_host, port) => `Port ${port} is in use. Choose another, or stop the program that uses it.`,
  EADDRNOTAVAIL: (host) => `${host} ${noAddress}`,
  ENOTFOUND: (host) => `${host} ${noAddress}`,
};

/** The properties of errors of Node that come from the operating system. */
interface SystemError extends NodeJS.ErrnoException {
  /** Set by `listen`. */
  address?: string;
  port?: number;
  /** Set by the look-up of a name. */
  hostname?: string;
}

/**
 * Returns what users read of an error: its message. For an error of the operating system, this is a sentence that says what is
 * wrong, where, and what to do.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall = '', path, address, port = 0, hostname, message }: SystemError = error;
  const host = address ?? hostname;
  if (host !== undefined && ['listen', 'getaddrinfo'].includes(syscall))
    return listenErrors[code]?.(host, port) ?? message;
  // For a program that cannot be started, the path is its name.
  const known = syscall === '' || syscall.startsWith('spawn') ? undefined : pathErrors[code];
  return known === undefined ? message : `${path ?? 'The path'} ${known}`;
}
