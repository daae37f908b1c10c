import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BEYOND_BUCKETS } from './beyond-buckets.ts'

test('the tests left out in a bucket exist', () => {
  const wrong: string[] = []
  for (const tests of Object.values(BEYOND_BUCKETS)) {
    for (const [file, parts] of Object.entries(tests)) {
      const source = [file, 'test/api/hostile-names.ts'].map(name => readFileSync(name, 'utf8')).join()
      wrong.push(...parts.filter(part => !source.includes(part)).map(name => `${file}: ${name}`))
    }
  }
  expect(wrong).toEqual([])
})
