import { errorBody, type Refusal, Refused, refusal } from '../errors.ts';
import type { CheckedAnswer, Exchange } from './exchange.ts';
import { ClientHasLeft } from './read-body.ts';
import { BrokenAnswer, checkAnswer } from './validate-response.ts';

/** Told what nobody meant to happen, for the log. */
export type ReportFault = (fault: {
  requestId: string;
  operation: string | undefined;
  error: unknown;
}) => void;

/** Errors of other layers that the table has a line for: a database that is away, say. */
export type Explain = (error: unknown) => Refusal | undefined;

/** Turns whatever ended the work on a request into the answer of the error table. */
export function failure(
  error: unknown,
  exchange: Exchange<unknown>,
  explain: Explain,
  report: ReportFault,
): CheckedAnswer {
  const fault = (what: unknown) =>
    report({ requestId: exchange.requestId, operation: exchange.operation?.id, error: what });
  const why = hasLeft(exchange, error) ? refusal('malformed') : reasonOf(error, explain);
  // What is turned away on purpose, for there is too much, is no fault; it is counted by its status.
  if (why.status >= 500 && !(error instanceof Refused)) fault(error);
  try {
    return answerOf(why, exchange);
  } catch (broken) {
    fault(broken);
    return answerOf(refusal('answerBroken'), { ...exchange, asked: false });
  }
}

/** @throws BrokenAnswer where an operation refuses in a way that it does not document */
function answerOf(why: Refusal, { operation, asked, headers: supplied }: Exchange<unknown>): CheckedAnswer {
  const answer = { status: why.status, body: errorBody(why) };
  // What the pipeline itself refuses is told in our shape even where a contract of others has none for it.
  if (operation && asked) return checkAnswer(operation, { ...answer, headers: why.headers }, supplied);
  return {
    status: why.status,
    headers: { ...supplied, ...why.headers, 'Content-Type': 'application/json' },
    payload: JSON.stringify(answer.body),
  };
}

/** The client hung up in the middle of its request: nobody reads the answer, and nothing is wrong here. */
const hasLeft = ({ req }: Exchange<unknown>, error: unknown): boolean =>
  error instanceof ClientHasLeft || (req.destroyed && !req.complete);

function reasonOf(error: unknown, explain: Explain): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof BrokenAnswer) return refusal('answerBroken');
  return explain(error) ?? refusal('internal');
}
