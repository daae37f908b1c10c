import { type BigIntStats, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { factsOf } from './stat-fields.ts'

const seen = statSync(import.meta.filename, { bigint: true })
const as = (changes: Partial<BigIntStats>): BigIntStats =>
  Object.assign(Object.create(Object.getPrototypeOf(seen)), seen, changes)

test.each([
  ['with a birth time', seen.birthtimeNs],
  ['without one', 0n],
])('hosts that share a folder identify a file %s alike, whatever its device number', (_how, birthtimeNs) => {
  const [here, there] = [7n, 8n].map(dev => factsOf(as({ dev, birthtimeNs })))
  expect(there).toEqual(here)
})

test.each(['ino', 'birthtimeNs'] as const)('another %s is another file', field => {
  const [one, other] = [seen, as({ [field]: seen[field] + 1n })].map(factsOf)
  expect(other?.identity).not.toBe(one?.identity)
  expect(other?.version).not.toBe(one?.version)
})

test.each(['size', 'mtimeNs', 'ctimeNs'] as const)('another %s is another version of the same file', field => {
  const [one, other] = [seen, as({ [field]: seen[field] + 1n })].map(factsOf)
  expect(other?.identity).toBe(one?.identity)
  expect(other?.version).not.toBe(one?.version)
})
