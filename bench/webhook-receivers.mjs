// Receivers of webhooks, in a process of their own: the first ones hang, the others answer at once.
// Reads one JSON command a line; writes one JSON answer a line.
import http from 'node:http';
import { createInterface } from 'node:readline';

const [count = 50, hanging = 10] = process.argv.slice(2).map(Number);

/** Of the receivers that answer: when each request came, the time in its body, and its webhook-id. */
let received = [];
let hung = 0;

const ports = [];
for (let n = 0; n < count; n += 1) {
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      if (n < hanging) {
        hung += 1;
        return;
      }
      const id = request.headers['webhook-id'] ?? '';
      received.push({ receiver: n, id, at: Date.now(), text });
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  ports.push(server.address().port);
}
console.log(JSON.stringify(ports));

const COMMANDS = {
  count: () => ({ received: received.length, hung }),
  take: () => {
    const taken = received.map(({ receiver, id, at, text }) => ({
      ...{ receiver, id, at },
      causedAt: Date.parse(timestampOf(text)),
    }));
    received = [];
    hung = 0;
    return taken;
  },
};

function timestampOf(text) {
  return JSON.parse(text).timestamp ?? '';
}

createInterface({ input: process.stdin })
  .on('line', (line) => console.log(JSON.stringify(COMMANDS[line]())))
  .on('close', () => process.exit(0));
