import { defineConfig } from 'vitest/config'

const TIMES = { testTimeout: 20_000, hookTimeout: 30_000 }

/** Two projects: what runs on Node alone, and what needs the web build's plugins (texts, style sheets, JSX). */
export default defineConfig({
  test: {
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
        extends: './web/vite.config.ts',
        test: { ...TIMES, name: 'web', include: ['web/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
