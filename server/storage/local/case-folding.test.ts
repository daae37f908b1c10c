import { link, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { p } from '../conformance/place.ts'
import { listedName, spelledAsListed } from './case-folding.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spelling-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a second name of another case is a distinct name where the file system is case-sensitive', async () => {
  await writeFile(join(folder, 'a.txt'), '')
  await link(join(folder, 'a.txt'), join(folder, 'A.TXT'))
  await writeFile(join(folder, 'long~1'), '')
  for (const name of ['a.txt', 'A.TXT', 'long~1', 'missing']) expect(await listedName(folder, name)).toBe(name)
  expect(await spelledAsListed(folder, p('/A.TXT'))).toBe('/A.TXT')
})
