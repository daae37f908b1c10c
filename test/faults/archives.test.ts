import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { link, mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DECODERS } from '../../server/archives/codecs/test-decoders.ts'
import { encode, person } from '../api/client.ts'
import { corner, serve } from '../api/instance.ts'
import { memoryOf, watchMemory } from './memory.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Entries of an archive; with --big more than the 65 535 that zip without zip64 can count. */
const ENTRIES = size('ENTRIES', 150)
/** MiB of the large file in an archive; with --big more than the 4 GiB that zip without zip64 can describe. */
const LARGE = size('ARCHIVED_MIB', 16)
/** Tiny files in an archive; with --big: a million. */
const TINY = size('TINY', 1000)
/** MiB by which the server's memory may grow for tiny files, however many they are. */
const ROOM_FOR_TINY = 100
/** MiB by which the server's memory may grow, whatever the amount of data: compressors have tables of 100 MiB. */
const ROOM = 400
const LONG = 'n'.repeat(200)

/** Programs that read a streamed archive; for Snappy, which has none, see `DECODERS`. */
const READERS: readonly (readonly [algo: string, unpack: string])[] = [
  ['tar', 'cat'],
  ['tar.gz', 'gzip -dc'],
  ['tar.bz2', 'bzip2 -dc'],
  ['tar.xz', 'xz -dc'],
  ['tar.lz4', 'lz4 -dc'],
  ['tar.zst', 'zstd -dc'],
]

/** Whether all these programs are installed. */
const canRead = ['unzip', 'tar', 'gzip', 'bzip2', 'xz', 'lz4', 'zstd'].every(
  program => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined,
)

const server = await serve()
const owner = await person(server)

const download = async (path: string, algo: string): Promise<Readable> => {
  const address = `${server.url}/api/raw${encode(path)}?algo=${algo}`
  const response = await fetch(address, { headers: { 'X-Auth': owner.token } })
  expect(response.status).toBe(200)
  return Readable.from(response.body ?? [])
}

/** The output of a pipeline of programs that reads an archive as it arrives. */
async function piped(path: string, algo: string, command: string): Promise<string> {
  const child = spawn('bash', ['-c', `set -o pipefail; ${command}`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  const [output] = await Promise.all([text(child.stdout), pipeline(await download(path, algo), child.stdin)])
  expect(await ended).toBe(0)
  return output.trim()
}

/** A thousand tiny files: hard links to one, which are created faster than as many files. */
async function plantTiny(folder: string, start: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const nameOf = (index: number) => join(folder, `tiny ${start + index}.txt`)
  await writeFile(nameOf(0), 'tiny')
  await Promise.all(Array.from({ length: 999 }, (_, index) => link(nameOf(0), nameOf(index + 1))))
}

/** Stores an archive on the disk, for programs that seek in it. */
async function kept(path: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'archive-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const archive = join(home, 'all.zip')
  await pipeline(await download(path, 'zip'), createWriteStream(archive))
  return archive
}

const shell = (command: string, archive: string): string =>
  execFileSync('bash', ['-c', command, 'bash', archive], { maxBuffer: 2 ** 26 })
    .toString()
    .trim()

/** Reports the server's peak memory since then, which must stay low. */
async function watching(room = ROOM): Promise<(what: string) => void> {
  const before = Math.round(await memoryOf(server.pid))
  const stop = watchMemory(server.pid)
  return what => {
    const most = stop()
    report(`${what}; memory of the server: ${before} MiB before, ${most} MiB at most`)
    expect(most - before).toBeLessThan(room)
  }
}

describe.runIf(canRead)('large archives', () => {
  test(`ARCH-01 ${ENTRIES} entries with names of many kinds are found in every archive format`, async () => {
    const { path, disk } = await corner(server)
    for (let start = 0; start < ENTRIES; start += 1000) {
      const folder = join(disk, `ordner ${start} ü😀`)
      await mkdir(folder)
      const names = Array.from({ length: Math.min(1000, ENTRIES - start) }, (_, index) => `${index} ${LONG} é.txt`)
      await Promise.all(names.map(name => writeFile(join(folder, name), name)))
    }
    const said = await watching()
    for (const [algo, unpack] of READERS) {
      const count = await piped(path, algo, `${unpack} | tar -t --quoting-style=literal | grep -ac '${LONG} é.txt$'`)
      expect([algo, Number(count)]).toEqual([algo, ENTRIES])
    }
    const plain = DECODERS.snappy(await buffer(await download(path, 'tar.sz')))
    const names = execFileSync('tar', ['-t', '--quoting-style=literal'], { input: plain, maxBuffer: 2 ** 28 })
    expect(names.toString().split(`${LONG} é.txt\n`)).toHaveLength(ENTRIES + 1)
    const archive = await kept(path)
    shell('unzip -tqq "$1"', archive)
    expect(Number(shell(`LC_ALL=C.UTF-8 unzip -Z1 "$1" | grep -ac '${LONG} é.txt$'`, archive))).toBe(ENTRIES)
    said(`${ENTRIES} entries in zip, tar.sz and ${READERS.map(([algo]) => algo).join(', ')}`)
  }, 3_600_000)

  test(`ARCH-01 a file of ${LARGE} MiB and the one after it are complete in an archive, in constant memory`, async () => {
    const { path, disk } = await corner(server)
    await writeFile(join(disk, 'a large.bin'), 'begins')
    await truncate(join(disk, 'a large.bin'), LARGE * 2 ** 20)
    await writeFile(join(disk, 'b small.txt'), 'comes after')
    const { size: bytes } = await stat(join(disk, 'a large.bin'))
    const said = await watching()
    for (const [algo, unpack] of [
      ['tar', 'cat'],
      ['tar.lz4', 'lz4 -dc'],
      ['tar.zst', 'zstd -dc'],
    ] as const) {
      const lines = await piped(path, algo, `${unpack} | tar -tv`)
      expect(lines).toContain(` ${bytes} `)
      expect(lines).toContain('b small.txt')
    }
    const archive = await kept(path)
    shell('unzip -tqq "$1"', archive)
    expect(shell('unzip -l "$1" "a large.bin"', archive)).toContain(`${bytes} `)
    expect(shell('unzip -p "$1" "b small.txt"', archive)).toBe('comes after')
    expect(shell('unzip -p "$1" "a large.bin" | head -c 6', archive)).toBe('begins')
    said(`${LARGE} MiB in zip, tar, tar.lz4 and tar.zst`)
  }, 3_600_000)

  test(`ARCH-07 ${TINY} tiny files are archived without being held in memory`, async () => {
    const { path, disk } = await corner(server)
    for (let start = 0; start < TINY; start += 1000) {
      // A quarter of them in one folder, the rest in folders of a thousand.
      await plantTiny(join(disk, start < TINY / 4 ? 'flat' : `folder ${start}`), start)
    }
    const count = "grep -ac 'tiny [0-9]*.txt$'"
    let said = await watching(ROOM_FOR_TINY)
    expect(Number(await piped(path, 'tar', `tar -t | ${count}`))).toBe(TINY)
    said(`${TINY} tiny files in tar`)
    said = await watching(ROOM_FOR_TINY)
    const archive = await kept(path)
    said(`${TINY} tiny files in zip`)
    expect(Number(shell(`unzip -Z1 "$1" | ${count}`, archive))).toBe(TINY)
  }, 3_600_000)
})
