import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'server',
          include: ['{server,shared,bench}/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/e2e/**', '**/node_modules/**'],
        },
      },
    ],
  },
})
