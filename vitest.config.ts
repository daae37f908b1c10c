import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Generous, since a server's start and each password cost seconds on a busy machine. */
const TIMES = { testTimeout: 60_000, hookTimeout: 60_000 }

/**
 * What runs on Node alone, the tests of the wire once more under a base path, and what needs the web build's plugins
 * (texts, style sheets, JSX).
 */
export default defineConfig({
  test: {
    // Most tests wait for a server of theirs: a core left free for the runner, as is its habit, would idle.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          ...TIMES,
          name: 'server',
          include: ['{server,shared,bench}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
        },
      },
      {
        test: {
          ...TIMES,
          name: 'wire under a base path',
          include: ['test/wire/*.test.ts'],
          env: { FILIGREE_WIRE_BASE: '/deep/er/base' },
        },
      },
      {
        extends: './web/vite.config.ts',
        test: { ...TIMES, name: 'web', include: ['web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
