import { defineConfig } from '@playwright/test'

/** The base URLs under which every browser test runs; a test reads its own as `test.info().project.metadata.base`. */
const BASES = { root: '', 'deep base': '/deep/er/base' }

/** What a browser does for itself in the background has no place in a test. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const executablePath = process.env.FILIGREE_CHROMIUM

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'dist/test-results/browser',
  forbidOnly: process.env.CI !== undefined,
  workers: 2,
  timeout: 60_000,
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    launchOptions: {
      // Chromium refuses its own sandbox for root, as in most containers.
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET,
      ...(executablePath !== undefined && { executablePath }),
    },
  },
  projects: Object.entries(BASES).map(([name, base]) => ({ name, metadata: { base } })),
})
