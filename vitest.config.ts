import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Patient, since a server's start and each password cost seconds on a busy machine. A file finds the modules of the one
 * before it loaded: loading them again costs more than most tests, and none of ours changes what a module holds.
 */
const MANNER = {
  // s3fs takes many requests for each file that a test makes, thousands of them in some.
  testTimeout: process.env.FILIGREE_TEST_BUCKET === undefined ? 180_000 : 900_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // On CI `npm test` names each test that passed only the second time; a developer sees it fail.
  retry: process.env.CI === undefined ? 0 : 1,
  isolate: false,
  // Tests wait for servers, disks and clocks a fifth of their time: one file more than cores keeps these busy.
  maxWorkers: availableParallelism() + 1,
}

/** The slow tests of one folder, which take minutes: `npm run test:scale` and others add them. */
const WHOLE = process.env.FILIGREE_SLOW === undefined ? [] : [`${process.env.FILIGREE_SLOW}/*.slow.ts`]

/** Skips the tests of what a bucket cannot have, where the servers of the tests keep their files in one. */
const IN_BUCKET = process.env.FILIGREE_TEST_BUCKET === undefined ? [] : ['test/scale/in-bucket.ts']

/**
 * The tests of the wire that a base path could upset: what is mounted where, what tells an address (pages, links,
 * `Location`, the path of cookies, the description), and names whose signs an address has its own use for.
 */
const ADDRESSES = [
  ...['branding', 'commands', 'doctor', 'http-edge', 'odd-names-edges', 'openapi', 'pages', 'prefixes', 'public'],
  ...['session-list', 'sessions', 'sign-in', 'stranger'],
]

/**
 * What runs on Node alone, some tests of the wire once more under a base path, and what needs the web build's plugins
 * (texts, style sheets, JSX).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...MANNER,
          name: 'server',
          include: ['{server,shared,bench}/**/*.test.ts', 'test/**/*.test.ts', ...WHOLE],
          exclude: ['test/e2e/**'],
          setupFiles: ['test/cheap-passwords.ts', ...IN_BUCKET],
        },
      },
      {
        test: {
          ...MANNER,
          name: 'wire under a base path',
          include: [`test/api/{${ADDRESSES.join()}}.test.ts`],
          env: { FILIGREE_WIRE_BASE: '/deep/er/base' },
        },
      },
      {
        extends: './web/vite.config.ts',
        test: { ...MANNER, name: 'web', include: ['web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
