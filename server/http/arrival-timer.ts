import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time limits for the arrival of a request, and the interval in which they are checked, in milliseconds. */
export interface ArrivalLimits {
  headersMs: number;
  requestMs: number;
  checkMs: number;
}

/** Measures how long the requests of a connection take to arrive. */
export interface ArrivalTimer {
  /** Notes that the headers of a request have arrived. */
  note: (req: IncomingMessage) => void;
  /**
   * Called when the time limit of a request has passed by Node's clock, which Node reports once per request.
   * @param reject called when the request has also exceeded the limit by the time in which the connection was read
   */
  expire: (reject: () => void) => void;
}

/**
 * Creates the timer of a connection that has not received anything yet. Node's time limits include the time in which the
 * server does not read the connection, for example while earlier requests wait. A client cannot send faster then.
 */
export function createArrivalTimer(
  socket: Duplex,
  { headersMs, requestMs, checkMs }: ArrivalLimits,
): ArrivalTimer {
  let unreadMs = 0;
  let unreadSince: number | undefined;
  socket
    .on('pause', () => {
      unreadSince ??= performance.now();
    })
    .on('resume', () => {
      unreadMs = unread();
      unreadSince = undefined;
    });
  const unread = () => unreadMs + (unreadSince === undefined ? 0 : performance.now() - unreadSince);

  let arrived = 0;
  let last: IncomingMessage | undefined;
  // The value of `unread` when the headers of the last request arrived, and those of the one before it.
  let unreadAtLast = 0;
  let unreadBefore = 0;

  return {
    note(req) {
      arrived += 1;
      last = req;
      unreadBefore = unreadAtLast;
      unreadAtLast = unread();
    },
    expire(reject) {
      const lateOne = last?.complete === false ? arrived : arrived + 1;
      const hasHeaders = () => arrived === lateOne;
      const hasArrived = () => arrived > lateOne || (hasHeaders() && last?.complete !== false);
      /** Grants the request as much time as the connection was not read since `start`. */
      const extend = (start: number, hadHeaders: boolean) => {
        const extraMs = unread() - start + (hasHeaders() && !hadHeaders ? requestMs - headersMs : 0);
        if (extraMs <= 0) return reject();
        const end = unread();
        const had = hasHeaders();
        const check = () => {
          if (!socket.destroyed && !hasArrived()) extend(end, had);
        };
        setTimeout(check, Math.max(extraMs, checkMs)).unref();
      };
      // The request may have begun immediately after the headers of the one before it.
      extend(hasHeaders() ? unreadBefore : unreadAtLast, hasHeaders());
    },
  };
}
