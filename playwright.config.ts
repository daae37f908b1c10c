import { defineConfig } from '@playwright/test'

/**
 * The base URLs under which browser tests run; a test reads its own as `test.info().project.metadata.base`. Everything
 * runs under the root; under a deep base what could confuse addresses: routes, links, uploads, pages of others.
 */
const PROJECTS = [
  { name: 'root', metadata: { base: '' } },
  {
    name: 'deep base',
    metadata: { base: '/deep/er/base' },
    testMatch:
      /\/(branding|browse|installed|session|transfer|upload-proxies|odd-names|public-share|public-viewers)\.test\.ts$/,
  },
]

/**
 * `npm run test:proxies` names one with what it does to the prefix, which is that of the recipes in docs/proxies; `narrow`
 * behind it means HTTP/1.1, and no WebSockets.
 */
const PROXY = process.env.FILIGREE_PROXY
const BEHIND = { name: `behind ${PROXY}`, metadata: { base: '/filigree', proxy: PROXY } }

/** Long journeys, run instead of the others: `FILIGREE_SLOW=test/e2e npx playwright test` (CONTRIBUTING.md). */
const SLOW = process.env.FILIGREE_SLOW === 'test/e2e'

/** What a browser does for itself in the background has no place in a test. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(PROXY?.endsWith(' narrow') ? ['--disable-http2'] : []),
  // With Playwright's option alone, Chromium repeats a request for each connection, and gives up in the end.
  ...(PROXY === undefined ? [] : ['--ignore-certificate-errors']),
]

const executablePath = process.env.FILIGREE_CHROMIUM

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'dist/test-results/browser',
  testMatch: SLOW ? '**/*.slow.ts' : '**/*.test.ts',
  forbidOnly: process.env.CI !== undefined,
  // As in Vitest: one more try on CI, and the name of whatever needed it at the end of `npm test`.
  retries: process.env.CI === undefined ? 0 : 1,
  workers: 2,
  fullyParallel: true,
  // Long limits: a busy machine is slow, and a wait that ends early costs nothing.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    // A test that intercepts requests does not see those of a worker; the tests of the installed app allow it.
    serviceWorkers: 'block',
    ignoreHTTPSErrors: PROXY !== undefined,
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Chromium refuses its own sandbox for root, as in most containers.
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET,
      ...(executablePath !== undefined && { executablePath }),
    },
  },
  projects: PROXY !== undefined ? [BEHIND] : SLOW ? PROJECTS.slice(0, 1) : PROJECTS,
})
