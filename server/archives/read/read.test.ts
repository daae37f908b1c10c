import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Semaphore } from '../../lib/limit.ts'
import { joined } from '../write/buffer-reader.ts'
import { zip } from '../write/zip.ts'
import { openArchive } from './open-archive.ts'
import { fixture, opened, readAll } from './test-archives.ts'

const MADE = Date.UTC(2024, 1, 29, 12, 34, 56)
const LONG = (await readAll(fixture('gnu.tar')))['long.txt'] ?? ''

const TREES = [
  ...['info-zip.zip', 'seven.zip', 'bsdtar.zip', 'ustar.tar', 'gnu.tar', 'pax.tar'],
  ...['tree.tar.gz', 'tree.tar.bz2', 'tree.tar.xz', 'tree.tar.zst', 'tree.tar.lz4'],
]

describe('an archive of another program', () => {
  test.each(TREES)('%s is read whole', async name => {
    expect(LONG).toHaveLength(17_459)
    const all = await readAll(fixture(name))
    expect(all).toMatchObject({ 'docs/': 'folder', 'docs/empty/': 'folder', 'docs/naïve.txt': 'grüße\n' })
    expect(all['long.txt'] === LONG).toBe(true)
  })

  test.each(['streamed-zip64.zip', 'v7.tar'])('%s is read whole', async name => {
    expect((await readAll(fixture(name)))['long.txt'] === LONG).toBe(true)
  })

  test.each(['info-zip.zip', 'seven.zip', 'pax.tar', 'tree.tar.xz'])('%s has times and modes', async name => {
    const archive = await openArchive(await opened(fixture(name)), new Semaphore(1))
    for await (const member of archive.members(new AbortController().signal)) {
      if (member.name !== 'long.txt') continue
      expect(member).toMatchObject({ size: 17_459, modified: MADE, mode: 0o640 })
    }
  })

  test('of DOS has names in its code page, with backslashes as separators', async () => {
    expect(await readAll(fixture('dos.zip'))).toEqual({ 'grün/ä b.txt': 'dos\n' })
  })

  test('of GNU tar has long names, links, FIFOs, and members after them', async () => {
    const all = await readAll(fixture('gnu-long.tar'))
    expect(all).toEqual({
      [`${'d'.repeat(80)}/${'n'.repeat(150)}.txt`]: 'long',
      link: 'link',
      hard: 'link',
      fifo: 'special',
      'after.txt': 'after',
    })
  })

  test.each(['sparse-gnu.tar', 'sparse-pax.tar'])(
    '%s: a sparse file is special, the members after it are read',
    async name => {
      const all = await readAll(fixture(name))
      expect(Object.values(all)[0]).toBe('special')
      expect(all['long.txt'] === LONG).toBe(true)
    },
  )

  test.each([
    ['zipcrypto.zip', 'encrypted'],
    ['aes.zip', 'encrypted'],
    ['bzip2-method.zip', 'unsupported'],
  ])('%s is listed, and its content is %s', async (name, code) => {
    expect(await readAll(fixture(name))).toEqual({ 'long.txt': `failed: ${code}` })
  })

  test.each(['seven.7z', 'seven-lzma.7z', 'seven-bzip2.7z', 'seven-deflate.7z', 'seven-delta.7z', 'seven-links.7z'])(
    '%s is read whole',
    async name => {
      expect((await readAll(fixture(name)))['long.txt'] === LONG).toBe(true)
    },
  )

  test('of 7-Zip has times, modes, empty files and links', async () => {
    const archive = await openArchive(await opened(fixture('seven-links.7z')), new Semaphore(1))
    const all = await Array.fromAsync(archive.members(new AbortController().signal))
    expect(all.map(({ name, kind, size }) => `${name} ${kind} ${size}`).sort()).toEqual([
      'empty.txt file 0',
      'link link 8',
      'long.txt file 17459',
    ])
    expect(all.find(({ name }) => name === 'long.txt')).toMatchObject({ modified: MADE, mode: 0o640 })
    expect(await archive.survey?.(new AbortController().signal)).toEqual({ bytes: 17_467, members: 3 })
  })

  test('of 7-Zip has its x86 jumps restored', async () => {
    expect(Object.values(await readAll(fixture('seven-jumps.7z')))).toHaveLength(1)
    expect(Object.values(await readAll(fixture('seven-jumps.7z')))[0]).not.toMatch(/^failed/)
  })

  test.each([
    ['seven-aes.7z', 'encrypted'],
    ['seven-ppmd.7z', 'unsupported'],
  ])('%s is listed, and its content is %s', async (name, code) => {
    expect(await readAll(fixture(name))).toEqual({ 'long.txt': `failed: ${code}` })
  })

  test('with encrypted names is reported as encrypted', async () => {
    await expect(readAll(fixture('seven-aes-names.7z'))).rejects.toMatchObject({ code: 'encrypted' })
  })
})

async function* members(count: number, content = 'x') {
  for (let at = 0; at < count; at++) {
    const file = { name: `f${at}`, kind: 'file' as const, size: content.length, modified: MADE, mode: 0o644 }
    yield [{ ...file, content: Buffer.from(content) }]
  }
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(joined(chunks)))
}

test('a zip with more members than the plain format can hold is read whole', async () => {
  const archive = await openArchive(await opened(await whole(zip(members(66_000)))), new Semaphore(1))
  let count = 0
  for await (const _ of archive.members(new AbortController().signal)) count += 1
  expect(count).toBe(66_000)
})

describe('a hostile or corrupt archive', () => {
  const zipped = () => whole(zip(members(2, 'content')))
  /** Replaces 32-bit numbers in the records of the directory. */
  const lying = async (at: number, value: number) => {
    const bytes = await zipped()
    bytes.writeUInt32LE(value, bytes.indexOf('PK\x01\x02') + at)
    return bytes
  }

  test.each([
    ['smaller than its content', 24, 3],
    ['larger than its content', 24, 900],
    ['with another checksum', 16, 1],
    ['at a place without a member', 42, 5],
  ])('a member declared %s is refused', async (_name, at, value) => {
    expect(await readAll(await lying(at, value))).toMatchObject({ f0: 'failed: undecodable', f1: 'content' })
  })

  test('content that exceeds its declared size stops there', async () => {
    const bytes = await lying(24, 1000)
    const packed = deflateRawSync(Buffer.alloc(20_000_000))
    const line = bytes.indexOf('PK\x01\x02')
    const prefix = Buffer.concat([bytes.subarray(0, bytes.indexOf('content')), packed])
    bytes.writeUInt16LE(8, line + 10)
    bytes.writeUInt32LE(packed.length, line + 20)
    const end = Buffer.from(bytes.subarray(bytes.indexOf('PK\x05\x06')))
    const directory = Buffer.from(bytes.subarray(line, line + 46 + 2 + bytes.readUInt16LE(line + 30)))
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(prefix.length, 16)
    expect(await readAll(Buffer.concat([prefix, directory, end]))).toEqual({ f0: 'failed: undecodable' })
  })

  test('overlapping members are detected before anything is decompressed', async () => {
    const bytes = await zipped()
    const second = bytes.lastIndexOf('PK\x01\x02')
    bytes.writeUInt32LE(0, second + 42)
    const archive = await openArchive(await opened(bytes), new Semaphore(1))
    await expect(archive.survey?.(new AbortController().signal)).rejects.toMatchObject({ code: 'undecodable' })
  })

  const IN_PROCESS = TREES.filter(name => !/bz2|xz|lz4/.test(name))

  test.each(IN_PROCESS)('a truncated %s is undecodable, or read up to that point', async name => {
    const bytes = fixture(name)
    for (const part of [0.1, 0.5, 0.9]) {
      const read = readAll(bytes.subarray(0, Math.floor(bytes.length * part)))
      expect(
        await read.then(
          () => 'undecodable',
          ({ code }) => code,
        ),
      ).toBe('undecodable')
    }
  })

  test.each(IN_PROCESS)('a corrupt %s causes expected errors only', async name => {
    const bytes = fixture(name)
    for (let at = 7; at < bytes.length; at += Math.ceil(bytes.length / 24)) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      const said = await readAll(changed).then(
        all => Object.values(all).filter(text => text.startsWith('failed: ')),
        ({ code }) => [`failed: ${code}`],
      )
      for (const text of said) expect(text).toMatch(/undecodable|unsupported|encrypted/)
    }
  })

  test('of 7-Zip that is truncated or corrupt causes expected errors only', async () => {
    const bytes = fixture('seven-lzma.7z')
    await expect(readAll(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ code: 'undecodable' })
    for (let at = 7; at < bytes.length; at += Math.ceil(bytes.length / 6)) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      const said = await readAll(changed).then(Object.values, ({ code }) => [`failed: ${code}`])
      for (const text of said.filter((each: string) => each.startsWith('failed: ')))
        expect(text).toMatch(/undecodable|unsupported/)
    }
  })

  test('of 7-Zip with a random header is listed, or undecodable', async () => {
    const bytes = fixture('seven-links.7z')
    const header = 32 + Number(bytes.readBigUInt64LE(12))
    const { signal } = new AbortController()
    for (let at = header; at < bytes.length; at++) {
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[at] = value
        // With a matching checksum.
        changed.writeUInt32LE(crc32(changed.subarray(header)), 28)
        changed.writeUInt32LE(crc32(changed.subarray(12, 32)), 8)
        const archive = await openArchive(await opened(changed), new Semaphore(1))
        const code = await Array.fromAsync(archive.members(signal)).then(
          () => 'listed',
          thrown => thrown.code,
        )
        expect(code).toMatch(/^(?:listed|undecodable|unsupported)$/)
      }
    }
  })

  test('a file that is not an archive is undecodable, whatever its name', async () => {
    await expect(readAll(Buffer.from('just text'), 'a.zip')).rejects.toMatchObject({ code: 'undecodable' })
    await expect(readAll(Buffer.alloc(2000), 'a.tar')).rejects.toMatchObject({ code: 'undecodable' })
  })

  test('an empty zip has no members', async () => {
    expect(await readAll(await whole(zip(members(0))))).toEqual({})
  })
})
