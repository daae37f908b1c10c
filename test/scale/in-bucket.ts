import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach } from 'vitest'
import { lackFor } from './beyond-buckets.ts'

// Runs before each file of tests with files in a bucket.
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

beforeEach(({ task, skip }) => {
  const lack = lackFor(relative(ROOT, task.file.filepath), task.name)
  if (lack !== undefined) skip(lack)
})
