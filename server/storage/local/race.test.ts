import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { listed, MARKER, p, put, textAt } from '../conformance/place.ts'
import { type DiskPlace, diskPlace } from './test-place.ts'

/** Swaps `sw` (a folder) and `sw2` (a link out) in a tight loop until it is killed. */
const EXCHANGER = `
  const { renameSync } = require('node:fs')
  process.stdout.write('ready')
  for (;;) {
    renameSync('sw', 'away'); renameSync('sw2', 'sw'); renameSync('away', 'sw2')
  }
`
/** Allowed errors when the folder is missing or a link out at that moment. */
const FAIR = new Set(['outside_scope', 'not_found', 'unavailable', 'not_a_folder'])

let place: DiskPlace
let exchanger: ChildProcess

/** Runs an operation many times; returns how often it succeeded. */
async function repeat(rounds: number, operation: (round: number) => Promise<void>): Promise<number> {
  let done = 0
  for (let round = 0; round < rounds; round++) {
    try {
      await operation(round)
      done++
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !FAIR.has(thrown.code)) throw thrown
    }
  }
  return done
}

describe.each(['auto', 'off'] as const)('with --kernel=%s', kernel => {
  beforeEach(async () => {
    place = await diskPlace('handles', undefined, { kernel })
    await writeFile(join(place.folder, 'outside', 'marker.txt'), MARKER)
    await mkdir(join(place.folder, 'inside', 'sw'))
    await writeFile(join(place.folder, 'inside', 'sw', 'marker.txt'), 'inside')
    await symlink('../outside', join(place.folder, 'inside', 'sw2'))
    exchanger = spawn(process.execPath, ['-e', EXCHANGER], { cwd: join(place.folder, 'inside') })
    await new Promise(resolve => exchanger.stdout?.once('data', resolve))
  })

  afterEach(async () => {
    exchanger.kill('SIGKILL')
    await new Promise(resolve =>
      (exchanger.exitCode ?? exchanger.signalCode) ? resolve(0) : exchanger.once('exit', resolve),
    )
    await place.close()
  })

  test('LINK-03 while a folder is exchanged for a link out, nothing is read from outside', async () => {
    const seen = new Set<string>()
    const names = new Set<string>()
    const done = await repeat(2000, async () => {
      seen.add(await textAt(place.store, '/sw/marker.txt'))
      for (const entry of await listed(place.store, '/sw')) names.add(`${entry.name} ${entry.size}`)
    })
    expect(done).toBeGreaterThan(0)
    expect([...seen]).toEqual(['inside'])
    expect([...names]).toEqual(['marker.txt 6'])
  })

  test('LINK-03 while a folder is exchanged for a link out, nothing is written, made or removed outside', async () => {
    const done = await repeat(500, async round => {
      await put(place.store, '/sw/marker.txt', 'inside')
      await put(place.store, `/sw/new${round}.txt`, 'inside')
      await place.store.mkdir(p(`/sw/folder${round}/deep`))
      await place.store.remove(p(`/sw/new${round}.txt`))
    })
    expect(done).toBeGreaterThan(0)
    expect(await place.names('outside')).toEqual(['marker.txt'])
    expect(await readFile(join(place.folder, 'outside', 'marker.txt'), 'utf8')).toBe(MARKER)
  })
})
