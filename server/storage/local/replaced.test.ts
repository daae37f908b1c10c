import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { namesIn, p, put, refusal, textAt } from '../conformance/place.ts'
import type { Confinement } from './handle.ts'
import { type DiskPlace, diskPlace } from './test-place.ts'

/** Replaces `hot.txt` by a rename, as editors and rsync do, in a tight loop until it is killed. */
const SAVER = `
  const { renameSync, writeFileSync } = require('node:fs')
  process.stdout.write('ready')
  for (let round = 0; ; round++) {
    writeFileSync('hot.new', 'saved')
    renameSync('hot.new', 'hot.txt')
  }
`
const ROUNDS = 500

let place: DiskPlace

/** A file that another process replaces until the test ends. */
async function hotFile(level: Confinement): Promise<void> {
  place = await diskPlace(level)
  const inside = join(place.folder, 'inside')
  await writeFile(join(inside, 'hot.txt'), 'saved')
  const saver = spawn(process.execPath, ['-e', SAVER], { cwd: inside })
  const ended = new Promise(resolve => saver.once('exit', resolve))
  onTestFinished(async () => {
    saver.kill('SIGKILL')
    await ended
    await place.close()
  })
  await new Promise(resolve => saver.stdout?.once('data', resolve))
}

/** Outcomes of an operation, with their counts. */
async function endsOf(rounds: number, operation: () => Promise<unknown>): Promise<Record<string, number>> {
  const ends: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    const end = await refusal(operation())
    ends[end] = (ends[end] ?? 0) + 1
  }
  return ends
}

describe.each<Confinement>(['handles', 'names'])('a file that is replaced atomically, paths held by %s', level => {
  beforeEach(() => hotFile(level))

  test('is found each time', async () => {
    const found = await Array.fromAsync({ length: ROUNDS }, async () => (await place.store.stat(p('/hot.txt')))?.kind)
    expect(new Set(found)).toEqual(new Set(['file']))
  })

  test('is read each time', async () => {
    expect(await endsOf(ROUNDS, () => textAt(place.store, '/hot.txt'))).toEqual({ done: ROUNDS })
  })

  test('is listed each time', async () => {
    const without = await Array.fromAsync(
      { length: ROUNDS },
      async () => !(await namesIn(place.store)).includes('hot.txt'),
    )
    expect(without.filter(Boolean)).toEqual([])
  })

  test('is saved each time', async () => {
    const save = () => put(place.store, '/hot.txt', 'saved', { ifMatch: '*' })
    expect(await endsOf(ROUNDS / 4, save)).toEqual({ done: ROUNDS / 4 })
    expect(await readFile(join(place.folder, 'inside/hot.txt'), 'utf8')).toMatch(/^(saved)?$/)
  })
})
