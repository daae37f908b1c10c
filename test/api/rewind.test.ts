import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Change, ChangeDetails, RewindPlan, UndoAnswer } from '../../shared/api/changes.ts'
import type { Job } from '../../shared/api/jobs.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { corner, openInstance, WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { type Manifest, snapshot } from './snapshot.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)

const post = ({ token }: Person, path: string, body: unknown): Promise<Answer> =>
  call(wire, path, {
    method: 'POST',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const rename = (path: string, to: string): Promise<Answer> =>
  call(wire, `/api/resources${encode(path)}?${new URLSearchParams({ action: 'rename', destination: encode(to) })}`, {
    method: 'PATCH',
    token: admin.token,
  })
const save = (path: string, text: string) => admin.put(path, text, '?override=true')

const transfer = (kind: 'copy' | 'move', from: string, to: string) =>
  jobsOf(wire, admin).run({ kind, items: [{ from, to }], conflict: 'replace' })
const changesIn = async (path: string): Promise<Change[]> =>
  json(await call(wire, `/api/changes?path=${encodeURIComponent(path)}`, { token: admin.token })).items

/** Without the modes: a file that is restored may have that of another content. */
const contents = (manifest: Manifest) =>
  Object.fromEntries(Object.entries(manifest).map(([name, facts]) => [name, facts.replace(/ \d+$/, '')]))

/** Numbers from 0 to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A time between two changes. */
async function pause(): Promise<string> {
  await new Promise(resolve => setTimeout(resolve, 5))
  const now = new Date().toISOString()
  await new Promise(resolve => setTimeout(resolve, 5))
  return now
}

async function counts(folder: string, to: string): Promise<RewindPlan> {
  const answer = await post(admin, '/api/changes/rewind', { folder, to, dry: true })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return json(answer)
}

async function rewind(folder: string, to: string) {
  const answer = await post(admin, '/api/changes/rewind', { folder, to })
  if (answer.status === 200) return undefined
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`)
  return jobsOf(wire, admin).ended(json(answer).id)
}

const undo = async (id: string): Promise<UndoAnswer> => json(await post(admin, `/api/changes/${id}/undo`, {}))

async function folderOf(files: Record<string, string>) {
  const { path, disk } = await corner(wire)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(disk, name, '..'), { recursive: true })
    await writeFile(join(disk, name), text)
  }
  return { path, disk }
}

describe('rewinding a folder', () => {
  test('brings back what was deleted, moved and overwritten, and takes away what was made', async () => {
    const { path, disk } = await folderOf({ 'a.txt': 'a', 'b.txt': 'b', 'docs/c.txt': 'c', 'docs/deep/d.txt': 'd' })
    const before = await snapshot(disk)
    const to = await pause()
    for (const text of ['a1', 'a2', 'a3']) await save(`${path}/a.txt`, text)
    await admin.remove(`${path}/b.txt`)
    await rename(`${path}/docs`, `${path}/papers`)
    await save(`${path}/papers/c.txt`, 'c1')
    await admin.put(`${path}/new/in/e.txt`, 'e')
    await save(`${path}/new/in/e.txt`, 'e1')
    await admin.put(`${path}/made.txt`, 'made')
    await admin.put(`${path}/made and deleted.txt`, 'made')
    await admin.remove(`${path}/made and deleted.txt`)
    await rename(`${path}/made.txt`, `${path}/papers/made.txt`)
    const after = await snapshot(disk)

    expect(await counts(path, to)).toEqual({
      back: 1,
      moved: 1,
      contents: 2,
      trashed: 2,
      stay: 0,
      stays: [],
      checked: true,
    })
    const { count, change } = (await rewind(path, to)) as Job
    expect(count).toMatchObject({ total: 6, done: 6 })
    expect(await snapshot(disk)).toEqual(before)

    const details: ChangeDetails = json(await call(wire, `/api/changes/${change}`, { token: admin.token }))
    expect(details).toMatchObject({ kind: 'rewind', state: 'done', undo: { can: true } })
    const items = await changesIn(path)
    const undone = items.filter(({ state }) => state === 'undone')
    expect(undone.length).toBe(items.length - 3)
    expect(new Set(undone.map(({ undoneBy }) => undoneBy))).toEqual(new Set([change]))

    const { results } = await undo(change ?? '')
    expect(results?.every(({ state }) => state === 'done')).toBe(true)
    expect(await snapshot(disk)).toEqual(after)
    await rewind(path, to)
    expect(await snapshot(disk)).toEqual(before)
  })

  test('goes back over undone changes, restored items and an earlier rewinding', async () => {
    const { path, disk } = await folderOf({ 'a.txt': 'a', 'b.txt': 'b' })
    const before = await snapshot(disk)
    const first = await pause()
    await save(`${path}/a.txt`, 'a1')
    const middle = await snapshot(disk)
    const second = await pause()
    const removed = await admin.remove(`${path}/b.txt`)
    await post(admin, '/api/trash/restore', { items: [{ id: removed.headers.get('X-Kept') }] })
    const saved = await save(`${path}/a.txt`, 'a2')
    await undo(saved.headers.get('X-Change') ?? '')
    await save(`${path}/a.txt`, 'a3')
    await rewind(path, second)
    expect(await snapshot(disk)).toEqual(middle)
    await rewind(path, first)
    expect(await snapshot(disk)).toEqual(before)
  })

  test('a file that gave way to a moved one comes back, and the moved one returns', async () => {
    const { path, disk } = await folderOf({ 'a.txt': 'a', 'b.txt': 'b' })
    const before = await snapshot(disk)
    const to = await pause()
    await save(`${path}/b.txt`, 'b1')
    await jobsOf(wire, admin).run({
      kind: 'move',
      items: [{ from: `${path}/a.txt`, to: `${path}/b.txt` }],
      conflict: 'replace',
    })
    await save(`${path}/b.txt`, 'a1')
    await rewind(path, to)
    expect(await snapshot(disk)).toEqual(before)
  })

  test('brings a folder back to any of its states, whatever was done at random', async () => {
    const seed = Number(process.env.FILIGREE_REWIND_SEED ?? 1)
    const random = randomFrom(seed)
    const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
    const { path, disk } = await folderOf({ 'a.txt': 'a', 'x/b.txt': 'b', 'x/y/c.txt': 'c', 'z/d.txt': 'd' })
    const states: { to: string; files: Manifest }[] = []
    for (let round = 0; round < 5; round += 1) {
      states.push({ files: await snapshot(disk), to: await pause() })
      for (let step = 0; step < 8; step += 1) {
        const names = Object.keys(await snapshot(disk))
        const folders = ['', ...names.filter(name => !name.includes('.')).map(name => `${name}/`)]
        const item = `${path}/${oneOf([...names, 'none'])}`
        const free = `${path}/${oneOf(folders)}n${round}${step}`
        const act = oneOf(['save', 'make', 'folder', 'remove', 'move', 'copy', 'over', 'undo'])
        if (act === 'save' && item.endsWith('.txt')) await save(item, `${round} ${step}`)
        if (act === 'make') await admin.put(`${free}.txt`, free)
        if (act === 'folder') await admin.put(`${free}/in/f.txt`, free)
        if (act === 'remove') await admin.remove(item)
        if (act === 'move') await rename(item, item.endsWith('.txt') ? `${free}.txt` : free)
        if (act === 'copy') await transfer('copy', item, item.endsWith('.txt') ? `${free}.txt` : free)
        if (act === 'over' && item.endsWith('.txt')) {
          const other = `${path}/${oneOf(names.filter(name => name.endsWith('.txt')))}`
          await transfer('move', item, other)
        }
        if (act === 'undo') {
          const [newest] = (await changesIn(path)).filter(({ kind }) => kind !== 'rewind')
          if (newest) await undo(newest.id)
        }
      }
    }
    for (const { to, files } of states.reverse()) {
      const { items = [] } = (await rewind(path, to)) ?? {}
      if (
        process.env.DBG &&
        (items.some(({ state }) => state === 'failed') ||
          JSON.stringify(contents(await snapshot(disk))) !== JSON.stringify(contents(files)))
      ) {
        console.log(to, items)
        for (const change of (await changesIn(path)).reverse()) {
          const d: ChangeDetails = json(await call(wire, `/api/changes/${change.id}`, { token: admin.token }))
          for (const st of d.steps)
            console.log(
              change.time,
              change.id.slice(0, 12),
              change.kind,
              change.state,
              change.undoes?.slice(0, 12) ?? '',
              change.undoneBy?.slice(0, 12) ?? '',
              st.position,
              st.kind,
              st.state,
              st.path.slice(15),
              st.to?.slice(15) ?? '',
            )
        }
      }
      expect(
        items.filter(({ state }) => state === 'failed'),
        `seed ${seed}, to ${to}`,
      ).toEqual([])
      expect(contents(await snapshot(disk)), `seed ${seed}, to ${to}`).toEqual(contents(files))
    }
  })

  test('leaves what another program changed since, and says so', async () => {
    const { path, disk } = await folderOf({ 'a.txt': 'a', 'b.txt': 'b' })
    const to = await pause()
    await save(`${path}/a.txt`, 'a1')
    await admin.put(`${path}/new/c.txt`, 'c')
    await admin.remove(`${path}/b.txt`)
    await writeFile(join(disk, 'a.txt'), 'by another program')
    await pause()
    await writeFile(join(disk, 'new/d.txt'), 'by another program')
    const plan = await counts(path, to)
    expect(plan).toMatchObject({ back: 1, contents: 0, trashed: 0, stay: 2 })
    expect(plan.stays).toEqual([
      { path: `${path}/new`, why: 'changed_since' },
      { path: `${path}/a.txt`, why: 'changed_since' },
    ])
    const { count } = (await rewind(path, to)) as Job
    expect(count).toMatchObject({ total: 3, done: 1, failed: 2 })
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('by another program')
    expect(Object.keys(await snapshot(disk)).sort()).toEqual(['a.txt', 'b.txt', 'new', 'new/c.txt', 'new/d.txt'])
  })

  test('what was deleted for good stays away', async () => {
    const { path, disk } = await folderOf({ 'a.txt': 'a' })
    const to = await pause()
    await admin.remove(`${path}/a.txt`, '?permanent=true')
    expect(await counts(path, to)).toMatchObject({ stay: 1, stays: [{ path: `${path}/a.txt`, why: 'final' }] })
    expect((await post(admin, '/api/changes/rewind', { folder: path, to })).status).toBe(200)
    expect(Object.keys(await snapshot(disk))).toEqual([])
  })

  test('does nothing where nothing was changed', async () => {
    const { path } = await folderOf({ 'a.txt': 'a' })
    const answer = await post(admin, '/api/changes/rewind', { folder: path, to: await pause() })
    expect(answer.status).toBe(200)
    expect(json(answer)).toMatchObject({ back: 0, moved: 0, contents: 0, trashed: 0, stay: 0 })
  })

  test('reaches only this folder, and brings back what was moved out of it', async () => {
    const { path, disk } = await folderOf({ 'in/a.txt': 'a', 'in/b.txt': 'b', 'c.txt': 'c' })
    const to = await pause()
    await rename(`${path}/in/a.txt`, `${path}/a.txt`)
    await save(`${path}/c.txt`, 'c1')
    await admin.remove(`${path}/in/b.txt`)
    await rewind(`${path}/in`, to)
    expect(await readFile(join(disk, 'in/a.txt'), 'utf8')).toBe('a')
    expect(await readFile(join(disk, 'in/b.txt'), 'utf8')).toBe('b')
    expect(await readFile(join(disk, 'c.txt'), 'utf8')).toBe('c1')
  })

  test('an unknown folder, a file and a time that is none are refused', async () => {
    const { path } = await folderOf({ 'a.txt': 'a' })
    const now = new Date().toISOString()
    const status = async (body: object) => (await post(admin, '/api/changes/rewind', body)).status
    expect(await status({ folder: `${path}/none`, to: now })).toBe(404)
    expect(await status({ folder: `${path}/a.txt`, to: now })).toBe(409)
    expect(await status({ folder: path, to: 'yesterday' })).toBe(400)
  })
})

describe('who may rewind', () => {
  const rewindAs = async (who: Person, folder: string, to: string) =>
    (await post(who, '/api/changes/rewind', { folder, to, dry: true })).status
  test('users who may create, rename, modify and delete, where no rule denies anything inside', async () => {
    const { path, disk } = await folderOf({ 'in/secret/a.txt': 'a', 'out/b.txt': 'b' })
    const to = await pause()
    await admin.remove(`${path}/in/secret/a.txt`)
    const without = EVERYTHING.filter(name => name !== 'delete')
    await enrol(wire, [
      { name: 'rewinder', may: EVERYTHING, scope: path },
      { name: 'weaker', may: without, scope: path },
      { name: 'ruled-rewinder', may: EVERYTHING, scope: path, rules: [{ path: '/in/secret' }] },
    ])
    const enter = (name: string) => person(wire, name, PASSWORD)
    const [free, weak, ruled] = [await enter('rewinder'), await enter('weaker'), await enter('ruled-rewinder')]
    expect(await rewindAs(free, '/in', to)).toBe(200)
    expect(await rewindAs(weak, '/in', to)).toBe(403)
    expect(await rewindAs(ruled, '/in', to)).toBe(403)
    expect(await rewindAs(ruled, '/out', to)).toBe(200)
    const answer = await post(free, '/api/changes/rewind', { folder: '/in', to })
    await jobsOf(wire, free).ended(json(answer).id)
    expect(await readFile(join(disk, 'in/secret/a.txt'), 'utf8')).toBe('a')
    await rm(disk, { recursive: true })
  })
})
