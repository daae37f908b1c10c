import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { AppError } from '../../../errors.ts'
import { recordsIn } from '../storm.ts'
import { boltOf, meta } from '../test-bolt.ts'
import { readBolt } from './file.ts'

const FIXTURE = new URL('../../../../test/fixtures/filebrowser/2.63.23/filebrowser.db', import.meta.url)
const GOOD = readFileSync(FIXTURE)
const folder = mkdtempSync(join(tmpdir(), 'bolt-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What there is to find in a file of these bytes. */
function read(bytes: Buffer): Record<string, number | undefined> {
  const path = join(folder, 'some.db')
  writeFileSync(path, bytes)
  const bolt = readBolt(path)
  return Object.fromEntries(['User', 'Link', 'config'].map(name => [name, recordsIn(bolt, name)?.size]))
}

/** The sentence with which bytes are refused; nothing when they can be read. */
function refusal(bytes: Buffer): string | undefined {
  try {
    read(bytes)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request') return error.message
    throw error
  }
}

const changed = (at: number, ...bytes: number[]) => {
  const twin = Buffer.from(GOOD)
  twin.set(bytes, at)
  return twin
}

describe('a bbolt database', () => {
  test('is read in the state of its last complete transaction', () => {
    expect(read(GOOD)).toEqual({ User: 4, Link: 5, config: 4 })
  })

  test('is read in the state before its last transaction if that is incomplete', () => {
    // The page of the newer state is the first one.
    expect(read(changed(64, 0))).toEqual({ User: 4, Link: 5, config: 4 })
  })

  test('is found by its second meta page if the first one is lost', () => {
    const half = boltOf({ User: { a: 1 } })
    half.fill(0, 0, 4096)
    expect(read(half)).toEqual({ User: 1, Link: undefined, config: undefined })
  })

  test('with records over several pages is read completely', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, { index }]))
    expect(read(boltOf({ Link: many })).Link).toBe(5000)
  })

  test.each([
    ['nothing', Buffer.alloc(0), 'is not a database of File Browser'],
    ['a text', Buffer.from('{}'.repeat(5000)), 'is not a database of File Browser'],
    ['an SQLite database', Buffer.from(`SQLite format 3\0${' '.repeat(9000)}`), 'SQLite'],
    ['one without its end', GOOD.subarray(0, 20_000), 'end is missing'],
    [
      'one without sound beginnings',
      Buffer.concat([changed(64, 0).subarray(0, 4160), GOOD.subarray(0, 9000)]),
      'header is invalid',
    ],
    ['records of another kind', boltOf({ User: { a: 1 } }, 'gob'), '"gob"'],
    ['a page that leads to itself', ring(), 'occurs twice'],
    ['a beginning that names no page', Buffer.concat([meta(0, 99, 3, 99n), GOOD.subarray(4096)]), 'no page 99'],
  ])('with %s is refused with a message', (_what, bytes, words) => {
    expect(refusal(bytes)).toContain(words)
  })

  test('that is corrupt at any position is read or refused with a message', () => {
    const damage = fc.oneof(
      fc.nat(GOOD.length).map(length => GOOD.subarray(0, length)),
      fc.array(fc.tuple(fc.nat(GOOD.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }).map(flips => {
        const twin = Buffer.from(GOOD)
        for (const [at, byte] of flips) twin[at] = byte
        return twin
      }),
      // The heads of pages, where each byte leads somewhere else.
      fc
        .tuple(fc.nat(15), fc.nat(160), fc.uint8Array({ minLength: 1, maxLength: 8 }))
        .map(([page, offset, bytes]) => changed(page * 4096 + offset, ...bytes)),
    )
    fc.assert(
      fc.property(damage, bytes => {
        const said = refusal(bytes)
        return said === undefined || said.endsWith('.')
      }),
      { numRuns: 500 },
    )
  })
})

/** A branch page whose only child is itself. */
function ring(): Buffer {
  const page = Buffer.alloc(4096)
  page.writeBigUInt64LE(3n, 0)
  page.writeUInt16LE(1, 8)
  page.writeUInt16LE(1, 10)
  page.writeBigUInt64LE(3n, 24)
  return Buffer.concat([meta(0, 3, 4, 1n), meta(1, 3, 4, 2n), Buffer.alloc(4096), page])
}
