// Receives events of contacts, and keeps a list of addresses.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from 'parley-client/webhooks';

const addresses = new Map<number, string | null>();

createServer(async (req, res) => {
  const request = { headers: req.headers, url: req.url ?? '', body: await text(req) };
  const received = await verifyWebhook(request, { secret: process.env.SECRET ?? '' });
  if (received.form === 'full') {
    const { event } = received;
    if (event.type === 'contact.created' || event.type === 'contact.updated')
      addresses.set(event.data.id, event.data.email_address);
    if (event.type === 'contact.deleted') addresses.delete(event.data.id);
  }
  res.writeHead(204).end();
}).listen(8080);
