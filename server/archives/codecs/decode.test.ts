import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Semaphore } from '../../lib/limit.ts'
import { ChunkReader } from '../byte-reader.ts'
import { fixture } from '../read/test-archives.ts'
import { decompressed } from './codec-threads.ts'
import { UNPACKERS, type UnpackMethod } from './decoders.ts'
import { METHODS } from './encoders.ts'

const noise = randomBytes(70_000)
const program = readFileSync(process.execPath).subarray(8_000_000, 8_400_000)
const CONTENT = Buffer.concat([Buffer.alloc(300_000, 'ab'), noise, program, noise, Buffer.alloc(800_000)])

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const unpacked = async (method: UnpackMethod, packed: Uint8Array, size: number) =>
  Buffer.concat(await Array.fromAsync(UNPACKERS[method](new ChunkReader(chunks(packed, size)))))

test.each(Object.keys(UNPACKERS) as UnpackMethod[])('%s survives a round trip', async method => {
  const { block, compress } = METHODS[method]
  const streams = Array.from({ length: Math.ceil(CONTENT.length / block) }, (_, at) =>
    compress(CONTENT.subarray(at * block, (at + 1) * block)).slice(),
  )
  expect((await unpacked(method, Buffer.concat(streams), 10_007)).equals(CONTENT)).toBe(true)
})

const PYTHON = {
  bzip2: 'bz2.compress(d)',
  xz: 'lzma.compress(d)',
} as const

test.each(Object.entries(PYTHON))('%s of another program is decompressed', async (method, call) => {
  const script = `import bz2,lzma,sys;d=sys.stdin.buffer.read();sys.stdout.buffer.write(${call})`
  const packed = execFileSync('python3', ['-c', script], { input: CONTENT, maxBuffer: 2 ** 28 })
  expect((await unpacked(method as UnpackMethod, packed, 65_536)).equals(CONTENT)).toBe(true)
})

test.each([
  [
    'small dictionary and other properties',
    "[{'id':lzma.FILTER_LZMA2,'dict_size':65536,'lc':1,'lp':2,'pb':0}]",
    'lzma.CHECK_CRC32',
  ],
  [
    'no position bits and a SHA-256',
    "[{'id':lzma.FILTER_LZMA2,'dict_size':1<<20,'lc':4,'lp':0,'pb':4}]",
    'lzma.CHECK_SHA256',
  ],
])('xz with %s is decompressed', async (_name, filters, check) => {
  const script = `import lzma,sys;d=sys.stdin.buffer.read();sys.stdout.buffer.write(lzma.compress(d,check=${check},filters=${filters}))`
  const packed = execFileSync('python3', ['-c', script], { input: program, maxBuffer: 2 ** 28 })
  expect((await unpacked('xz', packed, 65_536)).equals(program)).toBe(true)
})

const FIXTURES = [
  ['bzip2', 'tree.tar.bz2'],
  ['xz', 'tree.tar.xz'],
  ['lz4', 'tree.tar.lz4'],
] as const

test.each(FIXTURES)('%s that is corrupt or truncated is reported as undecodable', async (method, name) => {
  const bytes = fixture(name)
  const codeOf = (packed: Buffer) =>
    unpacked(method, packed, 65_536).then(
      () => 'undecodable',
      ({ code }) => code,
    )
  for (let at = 7; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    expect(await codeOf(changed)).toMatch(/undecodable|unsupported/)
    expect(await codeOf(bytes.subarray(0, at))).toBe('undecodable')
  }
})

test('another thread decompresses, and excess streams are queued', async () => {
  const semaphore = new Semaphore(1)
  const packed = METHODS.xz.compress(program).slice()
  const { signal } = new AbortController()
  const one = async () =>
    Buffer.concat(await Array.fromAsync(decompressed(chunks(packed, 65_536), 'xz', { semaphore, signal })))
  const [first, second] = await Promise.all([one(), one()])
  expect(first.equals(program)).toBe(true)
  expect(second.equals(program)).toBe(true)
})

test('stopping early releases the slot', async () => {
  const semaphore = new Semaphore(1)
  const stop = new AbortController()
  const endless = async function* () {
    for (;;) yield METHODS.snappy.compress(noise)
  }
  const leaving = async () => {
    for await (const _ of decompressed(endless(), 'snappy', { semaphore, signal: stop.signal }))
      stop.abort(new Error('left'))
  }
  await expect(leaving()).rejects.toThrow('left')
  await expect(semaphore.acquire(AbortSignal.timeout(10_000))).resolves.toBeTypeOf('function')
})
