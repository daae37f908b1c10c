import { expect, test } from 'vitest'
import { fromStored, storedBelow, toStored } from './paths.ts'

test.each([
  ['/plain/100%/é', '/plain/100%/é'],
  ['.', '.'],
  ['', ''],
  ['/caf\udce9/100%', '%/caf%E9/100%25'],
  ['%odd scope', '%%25odd scope'],
])('the path %j is stored as text and read back', (path, stored) => {
  expect(toStored(path)).toBe(stored)
  expect(fromStored(stored)).toBe(path)
})

test('paths in a folder have one of its prefixes, those of its siblings do not', () => {
  const begins = (path: string, folder: string) => storedBelow(folder).some(prefix => toStored(path).startsWith(prefix))
  for (const folder of ['/a', '/100%', '/caf\udce9', '/']) {
    const base = folder === '/' ? '' : folder
    for (const name of ['x', 'caf\udce9', '%41']) expect(begins(`${base}/${name}`, folder)).toBe(true)
    if (folder !== '/')
      for (const end of ['', 'b', '\udce9', '%2F', '%']) expect(begins(folder + end, folder)).toBe(false)
  }
})
