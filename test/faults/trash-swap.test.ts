import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../server/errors.ts'
import { p } from '../../server/storage/conformance/place.ts'
import { type DiskPlace, diskPlace } from '../../server/storage/local/test-place.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Exchanges a folder and a link out, each time in one call, until it is killed; see renameat2(2). */
const EXCHANGER = `
import ctypes, sys
libc = ctypes.CDLL(None)
print('ready', flush=True)
while True: libc.renameat2(-100, sys.argv[1].encode(), -100, b'out', 2)`
const canExchange = spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).renameat2']).status === 0

const note = { username: 'anna', deletedAt: Date.UTC(2026, 10, 23, 9) }
/** Refusals while the area is a link out, or incomplete. */
const FAIR = new Set(['no_trash', 'not_found', 'unavailable', 'outside_scope', 'not_a_folder'])
/** Deletions, and overwritings, per folder; whole: 10 000. */
const ROUNDS = size('TRASH_SWAPS', 200)

let place: DiskPlace
let exchanger: ChildProcess | undefined

beforeEach(async () => {
  place = await diskPlace('handles')
})

afterEach(async () => {
  exchanger?.kill('SIGKILL')
  await new Promise(resolve =>
    !exchanger || (exchanger.exitCode ?? exchanger.signalCode) ? resolve(0) : exchanger.once('exit', resolve),
  )
  await place.close()
})

/** Plants a file in each folder outside that the links lead to. @returns the contents of all files outside, by path */
async function plantOutside(...folders: string[]): Promise<() => Promise<Record<string, string>>> {
  const outside = join(place.folder, 'outside')
  for (const folder of folders) {
    await mkdir(join(outside, folder), { recursive: true })
    await writeFile(join(outside, folder, 'precious'), folder)
  }
  return async () => {
    const entries = await readdir(outside, { recursive: true, withFileTypes: true })
    const files = entries.filter(entry => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
    return Object.fromEntries(await Promise.all(files.map(async file => [file, await readFile(file, 'utf8')] as const)))
  }
}

/** Sets a new file aside. */
async function keep(round: number): Promise<void> {
  const { kept } = place.store
  if (!kept) throw new Error('this store keeps nothing')
  const id = `round${round}`
  const path = p(`/${id}`)
  await kept.setAside(path, await kept.plan(path, id), { ...note, id })
}

test.runIf(canExchange).each(['', '/trash', '/trash/files', '/trash/info'])(
  'TRASH-07 while the folder "%s" of the area is exchanged for a link out, a deletion is refused or done, and nothing outside changes',
  async inner => {
    const inside = join(place.folder, 'inside')
    await writeFile(join(inside, 'round0'), '0')
    await keep(0)
    const area = (await readdir(inside)).find(name => name.startsWith('.filigree-')) ?? ''
    const outside = join(place.folder, 'outside')
    const contents = await plantOutside('', 'trash', 'trash/files', 'trash/info', 'leaving')
    const before = await contents()
    const folder = join(inside, area, inner)
    const workplace = join(folder, '..')
    await symlink(join(outside, inner), join(workplace, 'out'))
    exchanger = spawn('python3', ['-c', EXCHANGER, folder.slice(folder.lastIndexOf('/') + 1)], {
      cwd: workplace,
    })
    await new Promise(resolve => exchanger?.stdout?.once('data', resolve))
    let done = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      await writeFile(join(inside, `round${round}`), String(round))
      try {
        await keep(round)
        done += 1
      } catch (thrown) {
        if (!(thrown instanceof AppError) || !FAIR.has(thrown.code)) throw thrown
        expect(await readFile(join(inside, `round${round}`), 'utf8')).toBe(String(round))
      }
    }
    exchanger.kill('SIGKILL')
    report(
      `the folder "${inner}" of the area exchanged for a link out: ${done} of ${ROUNDS} files deleted, the rest refused`,
    )
    expect(done).toBeGreaterThan(0)
    expect(await contents()).toEqual(before)
    const all = await readdir(inside, { recursive: true, withFileTypes: true })
    const files = all.filter(({ name }) => name.startsWith('round') && !name.endsWith('.trashinfo'))
    expect(files).toHaveLength(ROUNDS + 1)
  },
  600_000,
)

/** Replaces a file, and keeps what it had. */
async function replace(round: number): Promise<void> {
  const id = `01m8dtzyvwf72kv44f4${String(round).padStart(5, '0')}za`
  const staged = await place.store.stage(p('/replaced'))
  try {
    await staged.append(Buffer.from(String(round)))
    await staged.publish(p('/replaced'), { keep: { id, username: 'anna', mayCopy: 0, kept: async () => {} } })
  } finally {
    await staged.close()
  }
}

test.runIf(canExchange).each(['', '/versions', '/versions/za'])(
  'TRASH-07 while the folder "%s" of the area is exchanged for a link out, a file is replaced and nothing outside changes',
  async inner => {
    const inside = join(place.folder, 'inside')
    await writeFile(join(inside, 'replaced'), 'first')
    await replace(0)
    const area = (await readdir(inside)).find(name => name.startsWith('.filigree-')) ?? ''
    const outside = join(place.folder, 'outside')
    const contents = await plantOutside('', 'versions', 'versions/za')
    const before = await contents()
    const folder = join(inside, area, inner)
    await symlink(join(outside, inner), join(folder, '..', 'out'))
    exchanger = spawn('python3', ['-c', EXCHANGER, folder.slice(folder.lastIndexOf('/') + 1)], {
      cwd: join(folder, '..'),
    })
    await new Promise(resolve => exchanger?.stdout?.once('data', resolve))
    for (let round = 1; round <= ROUNDS; round += 1) await replace(round)
    exchanger.kill('SIGKILL')
    expect(await contents()).toEqual(before)
    expect(await readFile(join(inside, 'replaced'), 'utf8')).toBe(String(ROUNDS))
    const kept = await readdir(join(inside, area), { recursive: true }).catch(() => [])
    const also = await readdir(join(inside, 'out'), { recursive: true }).catch(() => [])
    expect([...kept, ...also].filter(name => name.endsWith('za')).length).toBeGreaterThan(1)
  },
  600_000,
)
