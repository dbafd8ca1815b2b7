import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { validators } from '../../server/validation/second-validator/second-validator.ts';
import { createCli } from '../support/cli.ts';
import { startListening } from '../support/start-listening.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startedService } from './service-process.ts';

/** A day of a company, with the API and the operator's commands. */
const commands = String.raw`
BASE_URL=http://127.0.0.1:8080
parley() { npm run -s parley -- "$@"; }

parley company create --name 'Nordlicht Lamps'
parley field create --company 1 --name 'Customer number' --type short_text --unique
TOKEN=$(parley token create --company 1 --user 17 --json | grep -o 'ply_live_[A-Za-z0-9]*')
api() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
cat > history.ndjson <<'END'
{"kind": "contact", "key": "crm-1", "first_name": "Tomás", "telephone_number": "+34600123456", "created_at": "2025-04-01T09:00:00Z"}
{"kind": "conversation", "key": "thread-1", "contact": "crm-1", "service": "mail", "new": false, "is_closed": true}
{"kind": "message", "key": "mail-1", "conversation": "thread-1", "type": "text", "payload": "Do you ship to Spain?", "read": true}
{"kind": "message", "key": "mail-2", "conversation": "thread-1", "type": "text", "payload": "We do.", "user_id": 17, "read": true}
END
parley import history.ndjson --company 1
parley import history.ndjson --company 1   # 4 already there
api -i $BASE_URL/api/v1/webhooks -d '{"verb_id": 3, "entity_id": 5, "action_id": 1, "url": "https://hooks.example.com/parley"}'
api $BASE_URL/api/v1/contacts -H 'Idempotency-Key: order-88213' \
  -d '{"first_name": "Ada", "last_name": "Lindqvist", "email_address": "ada@example.com", "fields": [{"id": 1, "value": "A-1017"}]}'
parley conversation open --company 1 --contact 2 --service whatsapp
parley message receive --company 1 --conversation 2 --payload 'Where is my order?'

# User 17 searches for the contact, reads the message, and replies.
api "$BASE_URL/api/v1/contacts/search?query=lindq"
api $BASE_URL/api/v1/conversations/2
parley message update --company 1 --message 3 --read
api $BASE_URL/api/v1/messages -d '{"conversation_id": 2, "type": "text", "payload": "It ships today."}'
ETAG=$(api -i $BASE_URL/api/v1/contacts/2 | tr -d '\r' | sed -n 's/^ETag: //p')
CHANGE='{"first_name": "Ada", "last_name": "Lindqvist", "email_address": "ada@example.com", "telephone_number": "+46701234567",
  "avatar": null, "status": "online", "from_integration": true, "integration": "shop", "from_whatsapp": true, "from_email": false,
  "fields": [{"id": 1, "value": "A-1017"}]}'
api -X PUT $BASE_URL/api/v1/contacts/2 -H "If-Match: $ETAG" -d "$CHANGE"
api -X PUT $BASE_URL/api/v1/contacts/2 -H "If-Match: $ETAG" -d "$CHANGE" || echo 'the contact has changed'
parley conversation update --company 1 --conversation 2 --forward-to-team 3
parley conversation update --company 1 --conversation 2 --state closed
parley conversation update --company 1 --conversation 2 --state archived
parley message receive --company 1 --conversation 2 --type emoji --payload '💡'

# Check the results, and delete the webhook.
api "$BASE_URL/api/v1/all/conversations?order=desc"
parley company list
parley webhook list --company 1
api -X DELETE $BASE_URL/api/v1/webhooks/1
`;

/** Runs a command as a process if it reads a file, and else sends it to this process, because each start takes a second. */
const runParley = `
  case $1 in
    import) "${process.execPath}" "${resolve('server/operator/main.ts')}" "$@" ;;
    *) printf '%s\\0' "$@" | curl --silent --show-error --fail-with-body --data-binary @- "$CLI" ;;
  esac`;

/** Serves the operator's commands over HTTP. @returns the URL: its requests have the arguments, each ended by a zero byte */
const serveCommands = ({ DATABASE_URL, ...variables }: { DATABASE_URL: string; PARLEY_SECRET_KEY: string }) =>
  startListening(async (req, res) => {
    const [name = '', ...more] = (await text(req)).split('\0').slice(0, -1);
    const { code, out, err } = await createCli(DATABASE_URL, variables)(name, ...more);
    res.writeHead(code === 0 ? 200 : 500).end(out + err);
  });

test.each(validators)(
  "the API and the operator's commands work together, with --validator %s",
  async (which) => {
    const folder = await temporaryFolder();
    const { settings, base, heard, stop } = await startedService({}, ['--empty', '--validator', which]);
    const env = { ...process.env, ...settings, NO_COLOR: '1', CLI: await serveCommands(settings) };
    const script = commands
      .replace('http://127.0.0.1:8080', base)
      // Starts no npm, because the commands run in a temporary folder, where they may write files.
      .replace('npm run -s parley -- "$@"', runParley);
    const { code, out, err } = await new Promise<{ code: number; out: string; err: string }>((done) =>
      execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout, err: stderr }),
      ),
    );
    expect(`${code} ${out} ${err}`).toMatch(/^0 /);
    expect(out).toMatch(/^Webhook-Secret: whsec_/m);
    expect(out).toContain('4 already there');
    expect(out).toContain('the contact has changed');
    expect(out).toContain('"code":41201');
    expect(out).toMatch(/^1 .* Nordlicht Lamps$/m);
    expect(out).toContain('"payload":"💡"');
    expect(out).toMatch(/^1 +1 +message\.created +(on|failing) +3 +\d+ +\d+ +POST/m);
    expect(out).toContain('"message":"Webhook 1 was deleted."');
    expect(heard.err).not.toContain('validators differ');
    expect(await stop()).toBe(0);
  },
);
