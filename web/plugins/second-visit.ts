// Writes the service worker that lets the page open without a network after the first visit. Files
// with a hash in their name never change and are answered from the cache; everything else is asked
// of the network first. What is large and seldom used is cached when it is first used.

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const kLargest = 3_000_000; // bytes; Binaryen and the test images are beyond it

const script = (version: string, files: string[]): string => `
const cacheName = 'fx2wasm-${version}';
const files = ${JSON.stringify(files)};
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
  self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith('fx2wasm-') &&
        name !== cacheName).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});
async function answer(request) {
  const cache = await caches.open(cacheName);
  const unchanging = /\\/assets\\//.test(request.url);
  const cached = await cache.match(request, { ignoreSearch: true });
  if (unchanging && cached) return cached;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (cached) return cached;
    throw error;
  }
}
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && new URL(url).origin === location.origin) {
    event.respondWith(answer(event.request));
  }
});
`;

export function secondVisit(): Plugin {
  return {
    name: 'fx2wasm-second-visit',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files: string[] = ['./'];
      const hash = createHash('sha256');
      for (const [name, item] of Object.entries(bundle)) {
        const content = item.type === 'chunk' ? item.code : item.source;
        hash.update(name).update(content);
        if (content.length <= kLargest && !name.endsWith('.html')) files.push(name);
      }
      const version = hash.digest('hex').slice(0, 12);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: script(version, files) });
    },
  };
}
