import { createCipheriv, createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call, encode, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { offsetOf, tusOf } from '../api/tus.ts'
import { memoryOf, watchMemory } from './memory.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Small files; with --big: 10 000. */
const FILES = size('FILES', 200)
/** MiB of the one large file; with --big: 5120. */
const LARGE = size('MIB', 96)
const MiB = 2 ** 20
const PIECE = 8 * MiB
/** Concurrent uploads, as in the interface. */
const AT_ONCE = 5
/** MiB by which the server's memory may grow, whatever the amount of data. */
const ROOM = 200

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Pseudo-random bytes, the same each time. */
function stretch() {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16))
  const zeros = Buffer.alloc(PIECE)
  return (length: number): Buffer<ArrayBuffer> => Buffer.from(cipher.update(zeros.subarray(0, length)))
}

const rate = (bytes: number, began: number) =>
  `${(bytes / MiB / ((performance.now() - began) / 1000)).toFixed(0)} MiB/s`

test(`UPL-13 a file of ${LARGE} MiB is uploaded and downloaded byte by byte, in constant memory`, async () => {
  const server = await serve()
  const owner = await person(server)
  const tus = tusOf(server, owner)
  const before = Math.round(await memoryOf(server.pid))
  const stopWatching = watchMemory(server.pid)
  const next = stretch()
  const hash = createHash('sha256')
  const total = LARGE * MiB
  expect((await tus.create('/large.bin', total)).status).toBe(201)
  let began = performance.now()
  for (let offset = 0; offset < total; offset += PIECE) {
    const piece = next(Math.min(PIECE, total - offset))
    hash.update(piece)
    const headers = { 'Upload-Checksum': `sha256 ${createHash('sha256').update(piece).digest('base64')}` }
    const answer = await tus.patch('/large.bin', offset, piece, { headers })
    expect(Number(offsetOf(answer))).toBe(offset + piece.length)
  }
  const up = rate(total, began)
  began = performance.now()
  const response = await fetch(`${server.url}/api/raw/large.bin`, { headers: { 'X-Auth': owner.token } })
  const back = createHash('sha256')
  for await (const piece of response.body ?? []) back.update(piece)
  const most = stopWatching()
  const digest = hash.digest('hex')
  report(
    `${LARGE} MiB up at ${up} in pieces with checksums, down at ${rate(total, began)}; sha256 ${digest.slice(0, 16)}…`,
  )
  report(`  memory of the server: ${before} MiB before, ${most} MiB at most`)
  expect(back.digest('hex')).toBe(digest)
  expect(most - before).toBeLessThan(ROOM)
}, 3_600_000)

test(`UPL-13 ${FILES} small files are uploaded and downloaded byte by byte, in constant memory`, async () => {
  const server = await serve()
  const owner = await person(server)
  const before = Math.round(await memoryOf(server.pid))
  const stopWatching = watchMemory(server.pid)
  const next = stretch()
  const left = Array.from({ length: FILES }, (_, index) => `/folder${index % 20}/file${index}.bin`)
  const hashes = new Map<string, string>()
  const began = performance.now()
  const upload = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const content = next(1 + (left.length % 9000))
      hashes.set(path, sha(content))
      expect((await owner.put(path, content)).status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, upload))
  const seconds = (performance.now() - began) / 1000
  const names = [...hashes.keys()]
  const compare = async () => {
    for (let path = names.pop(); path !== undefined; path = names.pop()) {
      const { bytes } = await call(server, `/api/raw${encode(path)}`, { token: owner.token })
      expect(sha(bytes), path).toBe(hashes.get(path))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, compare))
  const most = stopWatching()
  report(`${FILES} small files up in ${seconds.toFixed(1)} s, ${AT_ONCE} at a time; all came back the same`)
  report(`  memory of the server: ${before} MiB before, ${most} MiB at most`)
  expect(most - before).toBeLessThan(ROOM)
}, 3_600_000)
