import { defineConfig } from '@playwright/test';

const port = Number(process.env['E2E_PORT'] ?? 4273);

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: 'results/artifacts',
  workers: 1,
  timeout: 40_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 8000,
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --port ${port} --strictPort`,
    cwd: '../web',
    url: `http://localhost:${port}/`,
    reuseExistingServer: true,
  },
});
