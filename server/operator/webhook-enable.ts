import { enableWebhook } from '../features/webhooks/enable-disable.ts';
import { webhookSwitch } from './webhook-toggle.ts';

export const webhookEnable = () =>
  webhookSwitch(
    {
      verb: 'enable',
      past: 'enabled',
      about: 'Send to a webhook again, and what was kept for it at once.',
      off: false,
    },
    enableWebhook,
  );
