// Answers every request with a small object; the clients' overhead is measured against it.
import { createServer } from 'node:http';

const body = JSON.stringify({
  id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  object: 'list',
  status: 'queued',
  data: [],
  has_more: false,
  createdAt: '2026-11-20T08:00:00.000Z',
});

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
