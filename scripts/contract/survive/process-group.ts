import type { ChildProcess } from 'node:child_process';

/**
 * Returns a function that stops a process and all processes that it has started. It also runs when this process exits.
 * @param child a process that was started with `detached`, so that it has a process group of its own
 */
export function stopperOf(child: ChildProcess): () => void {
  const stop = () => {
    process.removeListener('exit', stop);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  process.once('exit', stop);
  return stop;
}
