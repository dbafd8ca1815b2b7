import { disableWebhookForOperator } from '../features/webhooks/enable-disable.ts';
import { webhookToggle } from './webhook-toggle.ts';

export const webhookDisable = () =>
  webhookToggle(
    {
      verb: 'disable',
      past: 'disabled',
      about: 'Stop sending to a webhook. Its events are kept for 30 days.',
      off: true,
    },
    disableWebhookForOperator,
  );
