import { InvalidArgumentError } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';

/** The parts of the ID of a delivery, which its receiver sees as `msg_WEBHOOK_SEQUENCE`. */
export interface DeliveryId {
  webhook: number;
  sequence: number;
}

/** Parses the ID of a delivery, as in the header `webhook-id`. */
export function parseDeliveryId(text: string): DeliveryId {
  const [, webhook, sequence] = /^msg_([1-9]\d{0,15})_([1-9]\d{0,15})$/.exec(text) ?? [];
  if (webhook && sequence) return { webhook: Number(webhook), sequence: Number(sequence) };
  throw new InvalidArgumentError('It must be a delivery ID, such as msg_31_118.');
}

export const deliveryNotFound = (company: number, { webhook, sequence }: DeliveryId): ApiError =>
  new ApiError(
    errorResponse('notFound', {
      message: `Company ${company} has no delivery msg_${webhook}_${sequence}. See: npm run -s parley -- delivery list --help`,
    }),
  );
