import { enableWebhook } from '../features/webhooks/enable-disable.ts';
import { webhookToggle } from './webhook-toggle.ts';

export const webhookEnable = () =>
  webhookToggle(
    {
      verb: 'enable',
      past: 'enabled',
      about: 'Resume sending to a webhook, starting with the events that were kept.',
      off: false,
    },
    enableWebhook,
  );
