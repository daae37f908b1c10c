import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../shared/api/changes.ts'
import { changeOf, changesOf } from './changes-client.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { corner, openInstance, WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)
const { list, details, post, undo, patch } = changesOf(wire)

const changesIn = async (who: Person, path: string): Promise<Change[]> =>
  (await list(who, `?path=${encodeURIComponent(path)}`)).items

interface Gesture {
  name: string
  /** What is there before. */
  prepare?(disk: string, path: string): Promise<unknown>
  act(path: string): Promise<Answer>
  kind: Change['kind']
}

const tree = async (disk: string) => {
  await mkdir(join(disk, 'docs/deep'), { recursive: true })
  // A folder that a merge leaves empty is made again, with the usual mode.
  await chmod(join(disk, 'docs'), 0o750)
  await writeFile(join(disk, 'docs/deep/a.txt'), 'a')
  await writeFile(join(disk, 'docs/b.txt'), 'b')
}

const GESTURES: readonly Gesture[] = [
  { name: 'a deletion', prepare: tree, act: path => admin.remove(`${path}/docs`), kind: 'delete' },
  {
    name: 'a renaming',
    prepare: tree,
    act: path => patch(admin, `${path}/docs`, { action: 'rename', destination: encode(`${path}/papers`) }),
    kind: 'rename',
  },
  {
    name: 'a move',
    prepare: tree,
    act: path => patch(admin, `${path}/docs/b.txt`, { action: 'rename', destination: encode(`${path}/b.txt`) }),
    kind: 'move',
  },
  {
    name: 'a copy of a folder',
    prepare: tree,
    act: path => patch(admin, `${path}/docs`, { action: 'copy', destination: encode(`${path}/more/copy`) }),
    kind: 'copy',
  },
  { name: 'a new folder', act: path => admin.put(`${path}/one/two/`), kind: 'create' },
  { name: 'an upload into missing folders', act: path => admin.put(`${path}/in/a.txt`, 'new'), kind: 'upload' },
  {
    name: 'an upload over a file',
    prepare: tree,
    act: path => admin.put(`${path}/docs/b.txt`, 'other', '?override=true'),
    kind: 'upload',
  },
  {
    name: 'a saved file',
    prepare: tree,
    act: path => call(wire, `/api/resources${encode(`${path}/docs/b.txt`)}`, { ...SAVE, token: admin.token }),
    kind: 'save',
  },
  {
    name: 'a copy over a file',
    prepare: tree,
    act: path =>
      patch(admin, `${path}/docs/b.txt`, {
        action: 'copy',
        destination: encode(`${path}/docs/deep/a.txt`),
        override: 'true',
      }),
    kind: 'copy',
  },
  {
    name: 'a move over a file',
    prepare: tree,
    act: path =>
      patch(admin, `${path}/docs/b.txt`, {
        action: 'rename',
        destination: encode(`${path}/docs/deep/a.txt`),
        override: 'true',
      }),
    kind: 'move',
  },
  {
    name: 'a restored version',
    async prepare(disk, path) {
      await tree(disk)
      restored = (await admin.put(`${path}/docs/b.txt`, 'new', '?override=true')).headers.get('X-Kept') ?? ''
    },
    act: path => post(admin, `/api/versions${encode(`${path}/docs/b.txt`)}`, { id: restored, how: 'replace' }),
    kind: 'revert',
  },
  {
    name: 'a folder that merges into another one',
    async prepare(disk) {
      await tree(disk)
      await mkdir(join(disk, 'into/docs'), { recursive: true })
      await writeFile(join(disk, 'into/docs/c.txt'), 'c')
    },
    act: path =>
      runJob({ kind: 'move', items: [{ from: `${path}/docs`, to: `${path}/into/docs` }], conflict: 'replace' }),
    kind: 'move',
  },
  {
    name: 'a job that deletes',
    prepare: tree,
    act: path => runJob({ kind: 'delete', items: [{ from: `${path}/docs/deep` }, { from: `${path}/docs/b.txt` }] }),
    kind: 'delete',
  },
  {
    name: 'a job that deletes an item after the folder in it',
    prepare: tree,
    act: path => runJob({ kind: 'delete', items: [{ from: `${path}/docs/deep` }, { from: `${path}/docs` }] }),
    kind: 'delete',
  },
  {
    name: 'an archive',
    prepare: tree,
    act: path =>
      runJob({
        kind: 'archive',
        items: [{ from: `${path}/docs` }],
        archive: { to: `${path}/docs.zip`, format: 'zip' },
      }),
    kind: 'archive',
  },
  {
    name: 'an extraction',
    async prepare(disk, path) {
      await tree(disk)
      await runJob({
        kind: 'archive',
        items: [{ from: `${path}/docs` }],
        archive: { to: `${path}/docs.zip`, format: 'zip' },
      })
    },
    act: path => runJob({ kind: 'extract', items: [{ from: `${path}/docs.zip`, to: `${path}/out` }] }),
    kind: 'extract',
  },
  {
    name: 'a restore into missing folders',
    async prepare(disk, path) {
      await tree(disk)
      restored = (await admin.remove(`${path}/docs/deep/a.txt`)).headers.get('X-Kept') ?? ''
      await admin.remove(`${path}/docs`)
    },
    act: () => post(admin, '/api/trash/restore', { items: [{ id: restored }] }),
    kind: 'restore',
  },
]

let restored = ''

const SAVE = { method: 'PUT', body: 'saved' }

async function runJob(request: object): Promise<Answer> {
  const answer = await jobsOf(wire, admin).ask(request)
  if (answer.status !== 200) throw new Error(`the job was answered ${answer.status} ${answer.text}`)
  return answer
}

describe('JRNL-01 each action is undone and done again', () => {
  test.for(GESTURES)('$name', async ({ prepare, act, kind }) => {
    const { path, disk } = await corner(wire)
    await prepare?.(disk, path)
    const before = await snapshot(disk)
    const id = changeOf(await act(path))
    const after = await snapshot(disk)
    expect(after).not.toEqual(before)
    expect((await changesIn(admin, path))[0]).toMatchObject({
      id,
      kind,
      mine: true,
      state: 'done',
      undo: { can: true },
    })
    const other = await person(wire)
    const undone = await undo(other, id)
    expect(undone.results?.map(({ state }) => state)).toEqual(undone.results?.map(() => 'done'))
    expect(await snapshot(disk)).toEqual(before)
    expect(await details(admin, id)).toMatchObject({ state: 'undone', undoneBy: undone.change, undo: { can: false } })
    expect(await details(admin, undone.change ?? '')).toMatchObject({ kind: 'undo', about: { kind, again: false } })
    const redone = await undo(admin, undone.change ?? '')
    expect(await details(admin, redone.change ?? '')).toMatchObject({ kind: 'undo', about: { kind, again: true } })
    expect(await snapshot(disk)).toEqual(after)
    expect(await details(admin, id)).toMatchObject({ state: 'done', undo: { can: true } })
    expect(redone.change).toBeDefined()
    await undo(admin, id)
    expect(await snapshot(disk)).toEqual(before)
  })
})

describe('JRNL-02 what was changed in the meantime is not undone', () => {
  const uploaded = async () => {
    const { path, disk } = await corner(wire)
    return { path, disk, id: changeOf(await admin.put(`${path}/a.txt`, 'first')) }
  }

  test('a file that another program wrote to stays, unless the user accepts the offer', async () => {
    const { disk, id } = await uploaded()
    await writeFile(join(disk, 'a.txt'), 'worked on')
    const { verdicts, can } = await undo(admin, id, { dry: true })
    expect(verdicts).toMatchObject([{ kind: 'make', can: false, why: 'changed_since', offers: ['trash'] }])
    expect(can).toBe(0)
    const refused = await undo(admin, id)
    expect(refused.results).toEqual([{ position: 0, state: 'failed', code: 'changed_since' }])
    expect(refused.change).toBeUndefined()
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('worked on')
    const accepted = await undo(admin, id, { offers: { 0: 'trash' } })
    expect(accepted.results).toMatchObject([{ state: 'done' }])
    await undo(admin, accepted.change ?? '')
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('worked on')
  })

  test('a file that was saved since is changed, not gone', async () => {
    const { path, disk, id } = await uploaded()
    await admin.put(`${path}/a.txt`, 'second', '?override=true')
    expect((await undo(admin, id, { dry: true })).verdicts).toMatchObject([{ why: 'changed_since', offers: ['trash'] }])
    expect((await undo(admin, id)).results).toMatchObject([{ state: 'failed', code: 'changed_since' }])
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('second')
  })

  test('something else at the path is left alone', async () => {
    const { path, disk, id } = await uploaded()
    await admin.remove(`${path}/a.txt`)
    await writeFile(join(disk, 'a.txt'), 'other')
    expect((await undo(admin, id)).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('other')
  })

  test('a folder in which something new is stays', async () => {
    const { path, disk } = await corner(wire)
    const id = changeOf(await admin.put(`${path}/new/`))
    await writeFile(join(disk, 'new/a.txt'), 'a')
    expect((await undo(admin, id)).results).toMatchObject([{ state: 'failed', code: 'changed_since' }])
    expect(await readFile(join(disk, 'new/a.txt'), 'utf8')).toBe('a')
  })

  test('a taken path is asked about, and every choice keeps both contents', async () => {
    for (const choice of ['keepBoth', 'replace', 'skip'] as const) {
      const { path, disk } = await corner(wire)
      await writeFile(join(disk, 'a.txt'), 'old')
      const id = changeOf(await admin.remove(`${path}/a.txt`))
      await writeFile(join(disk, 'a.txt'), 'new')
      expect((await undo(admin, id)).results).toMatchObject([{ state: 'failed', code: 'taken' }])
      const { results } = await undo(admin, id, { choices: { [`${path}/a.txt`]: choice } })
      expect(results).toMatchObject([{ state: choice === 'skip' ? 'skipped' : 'done' }])
      const there = Object.keys(await snapshot(disk))
      expect(there).toEqual(choice === 'keepBoth' ? ['a(1).txt', 'a.txt'] : ['a.txt'])
      expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe(choice === 'replace' ? 'old' : 'new')
    }
  })

  test('an item that left the trash is gone', async () => {
    const { path, disk } = await corner(wire)
    await writeFile(join(disk, 'a.txt'), 'a')
    const answer = await admin.remove(`${path}/a.txt`)
    await post(admin, '/api/trash/purge', { ids: [answer.headers.get('X-Kept')] })
    expect((await undo(admin, changeOf(answer))).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    const { verdicts } = await undo(admin, changeOf(answer), { dry: true })
    expect(verdicts).toMatchObject([{ why: 'gone', went: { how: 'purged', time: expect.any(String) } }])
  })

  test('a deleted item comes back into its folder, which was renamed since, and goes again', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'in'))
    await writeFile(join(disk, 'in/a.txt'), 'a')
    const deleted = await admin.remove(`${path}/in/a.txt`)
    await patch(admin, `${path}/in`, { action: 'rename', destination: encode(`${path}/out`) })
    const undone = await undo(admin, changeOf(deleted))
    expect(undone.results).toMatchObject([{ state: 'done', path: `${path}/out/a.txt` }])
    expect(await readFile(join(disk, 'out/a.txt'), 'utf8')).toBe('a')
    await undo(admin, undone.change ?? '')
    expect(await readdir(join(disk, 'out'))).toEqual([])
  })

  test('a moved item moves back with the content of now, to folders that are made for it', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'in'))
    await writeFile(join(disk, 'in/a.txt'), 'a')
    const moved = await patch(admin, `${path}/in/a.txt`, { action: 'rename', destination: encode(`${path}/b.txt`) })
    await admin.put(`${path}/b.txt`, 'saved', '?override=true')
    await admin.remove(`${path}/in`)
    expect((await undo(admin, changeOf(moved))).results).toMatchObject([{ state: 'done', path: `${path}/in/a.txt` }])
    expect(await readFile(join(disk, 'in/a.txt'), 'utf8')).toBe('saved')
  })

  test('of a move over a file both come back to their places, the moved one as the same file, and both are redone', async () => {
    const { path, disk } = await corner(wire)
    const contents = () =>
      Promise.all(['a.txt', 'b.txt'].map(name => readFile(join(disk, name), 'utf8').catch(() => '')))
    await writeFile(join(disk, 'a.txt'), 'moved')
    await writeFile(join(disk, 'b.txt'), 'replaced')
    const { ino } = await stat(join(disk, 'a.txt'))
    const query = { action: 'rename', destination: encode(`${path}/b.txt`), override: 'true' }
    const id = changeOf(await patch(admin, `${path}/a.txt`, query))
    expect([await contents(), (await stat(join(disk, 'b.txt'))).ino]).toEqual([['', 'moved'], ino])
    const { steps } = await details(admin, id)
    expect(steps.map(({ kind }) => kind)).toEqual(['replace', 'move'])
    const undone = await undo(admin, id)
    expect(undone.results?.map(({ state }) => state)).toEqual(['done', 'done'])
    expect([await contents(), (await stat(join(disk, 'a.txt'))).ino]).toEqual([['moved', 'replaced'], ino])
    await undo(admin, undone.change ?? '')
    expect(await contents()).toEqual(['', 'moved'])
  })

  test('a replaced content that was worked on since comes back as a copy, or becomes a version', async () => {
    for (const offer of ['copy', 'over'] as const) {
      const { path, disk } = await corner(wire)
      await writeFile(join(disk, 'a.txt'), 'first')
      const id = changeOf(await admin.put(`${path}/a.txt`, 'second', '?override=true'))
      await writeFile(join(disk, 'a.txt'), 'worked on')
      const { verdicts } = await undo(admin, id, { dry: true })
      expect(verdicts).toMatchObject([{ kind: 'replace', why: 'changed_since', offers: ['copy', 'over'] }])
      expect((await undo(admin, id)).results).toMatchObject([{ state: 'failed', code: 'changed_since' }])
      const { results } = await undo(admin, id, { offers: { 0: offer } })
      const name = offer === 'copy' ? 'a(1).txt' : 'a.txt'
      expect(results).toEqual([{ position: 0, state: 'done', path: `${path}/${name}` }])
      expect(await readFile(join(disk, name), 'utf8')).toBe('first')
      if (offer === 'copy') expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('worked on')
      const versions = json(await call(wire, `/api/versions${encode(`${path}/a.txt`)}`, { token: admin.token }))
      expect(versions.items).toHaveLength(offer === 'over' ? 2 : 1)
    }
  })

  test('a replaced content whose version was deleted is gone', async () => {
    const { path } = await corner(wire)
    await admin.put(`${path}/a.txt`, 'first')
    const answer = await admin.put(`${path}/a.txt`, 'second', '?override=true')
    await call(wire, `/api/kept/${answer.headers.get('X-Kept')}`, { method: 'DELETE', token: admin.token })
    expect((await undo(admin, changeOf(answer))).results).toMatchObject([{ state: 'failed', code: 'gone' }])
  })

  test('a permanent deletion is final', async () => {
    const { path, disk } = await corner(wire)
    await writeFile(join(disk, 'a.txt'), 'a')
    const id = changeOf(await admin.remove(`${path}/a.txt`, '?permanent=true'))
    expect(await details(admin, id)).toMatchObject({ kind: 'purge', undo: { can: false, why: 'final' } })
    expect((await undo(admin, id, { dry: true })).verdicts).toMatchObject([{ can: false, why: 'final' }])
  })
})
