import { enableWebhook } from '../features/webhooks/enable-disable.ts';
import { webhookToggle } from './webhook-toggle.ts';

export const webhookEnable = () =>
  webhookToggle(
    {
      verb: 'enable',
      past: 'enabled',
      about: 'Send to a webhook again, and what was kept for it at once.',
      off: false,
    },
    enableWebhook,
  );
