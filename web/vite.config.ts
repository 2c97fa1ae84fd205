import { defineConfig } from 'vite';
import { bundledData } from './plugins/bundled-data.ts';
import { secondVisit } from './plugins/second-visit.ts';

export default defineConfig({
  base: './',
  plugins: [bundledData(), secondVisit()],
  worker: { format: 'es' },
  // The binaryen package is one file of 15 MB with its Wasm inside: bundled once for `vite dev`.
  optimizeDeps: { include: ['binaryen'] },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 16000,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The policy in index.html allows no data: address where code is fetched.
    assetsInlineLimit: 0,
  },
});
