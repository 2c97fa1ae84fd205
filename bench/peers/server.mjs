// Serves folders to the bench's page, isolated: performance.now() then steps by 5 µs, not by 100.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

const isolation = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * @param folders URL prefix (`/page/`) → folder
 * @returns `{origin, close}` on a free port of this machine
 */
export async function serve(folders) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const prefix = Object.keys(folders).find((p) => pathname.startsWith(p));
    const folder = prefix && normalize(folders[prefix] + sep);
    const file = prefix && join(folder, decodeURIComponent(pathname.slice(prefix.length)));
    try {
      if (!file?.startsWith(folder)) throw new Error('outside');
      const body = await readFile(file);
      const type = types[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...isolation }).end(body);
    } catch {
      response.writeHead(404, isolation).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
