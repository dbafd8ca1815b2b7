import { disableWebhook } from '../features/webhooks/enable-disable.ts';
import { webhookToggle } from './webhook-toggle.ts';

export const webhookDisable = () =>
  webhookToggle(
    {
      verb: 'disable',
      past: 'disabled',
      about: 'Send nothing more to a webhook. What happens is kept for it for 30 days.',
      off: true,
    },
    disableWebhook,
  );
