import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { UndoAnswer } from '../../shared/api/changes.ts'
import { type Answer, call, encode, json, person } from './client.ts'
import { corner, openInstance, WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)

const post = (path: string, body: object) =>
  call(wire, path, {
    method: 'POST',
    token: admin.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const undo = async (id: string, body: object = {}): Promise<UndoAnswer> =>
  json(await post(`/api/changes/${id}/undo`, body))
const changeOf = ({ headers }: Answer) => headers.get('X-Change') ?? ''
const move = (from: string, to: string) => {
  const query = new URLSearchParams({ action: 'rename', destination: encode(to) })
  return call(wire, `/api/resources${encode(from)}?${query}`, { method: 'PATCH', token: admin.token })
}

/** A file that was moved, and how its move is undone. */
async function moved() {
  const { path, disk } = await corner(wire)
  for (const folder of ['from', 'to']) await mkdir(join(disk, folder))
  await writeFile(join(disk, 'from/a.txt'), 'moved')
  const id = changeOf(await move(`${path}/from/a.txt`, `${path}/to/b.txt`))
  return { path, disk, id, there: join(disk, 'to/b.txt'), back: join(disk, 'from/a.txt') }
}

describe('JRNL-02 a move is not undone', () => {
  test('when another item is at the new path, which stays as it is', async () => {
    const { disk, id, there } = await moved()
    await rename(there, join(disk, 'elsewhere'))
    await writeFile(there, 'of another program')
    const before = await snapshot(disk)
    expect((await undo(id, { dry: true })).verdicts).toMatchObject([
      { kind: 'move', can: false, why: 'gone', offers: [] },
    ])
    for (const body of [{}, { conflict: 'replace', offer: 'trash' }])
      expect((await undo(id, body)).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    expect(await snapshot(disk)).toEqual(before)
  })

  test('when nothing is at the new path, whatever is at the old one', async () => {
    const { disk, id, there, back } = await moved()
    await rename(there, join(disk, 'elsewhere'))
    await writeFile(back, 'of another program')
    const before = await snapshot(disk)
    expect((await undo(id, { dry: true })).verdicts).toMatchObject([{ can: false, why: 'gone' }])
    expect((await undo(id, { conflict: 'replace' })).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    expect(await snapshot(disk)).toEqual(before)
  })

  test.each(['keepBoth', 'replace', 'skip'] as const)(
    'over another item at the old path without a choice; with %s both contents stay',
    async choice => {
      const { path, disk, id, back } = await moved()
      await writeFile(back, 'newer')
      const before = await snapshot(disk)
      expect((await undo(id, { dry: true })).verdicts).toMatchObject([{ can: false, why: 'taken' }])
      const refused = await undo(id)
      expect([refused.results, refused.change]).toMatchObject([[{ state: 'failed', code: 'taken' }], undefined])
      expect(await snapshot(disk)).toEqual(before)
      const { results, change = '' } = await undo(id, { choices: { [`${path}/from/a.txt`]: choice } })
      expect(results).toMatchObject([{ state: choice === 'skip' ? 'skipped' : 'done' }])
      if (choice === 'skip') return expect(await snapshot(disk)).toEqual(before)
      expect(await readFile(back, 'utf8')).toBe(choice === 'replace' ? 'moved' : 'newer')
      const names = (await readdir(join(disk, 'from'))).sort()
      expect(names).toEqual(choice === 'replace' ? ['a.txt'] : ['a(1).txt', 'a.txt'])
      const again = await undo(change)
      expect(again.results?.map(({ state }) => state)).toEqual(again.results?.map(() => 'done'))
      return expect(await snapshot(disk)).toEqual(before)
    },
  )
})

describe('JRNL-02 a restore from the trash is undone', () => {
  const brought = async () => {
    const { path, disk } = await corner(wire)
    await writeFile(join(disk, 'a.txt'), 'old')
    const item = (await admin.remove(`${path}/a.txt`)).headers.get('X-Kept')
    const id = changeOf(await post('/api/trash/restore', { items: [{ id: item }] }))
    return { disk, id, file: join(disk, 'a.txt') }
  }

  test('also where the file was worked on since, whose content is in the trash then', async () => {
    const { disk, id, file } = await brought()
    await writeFile(file, 'worked on')
    const undone = await undo(id)
    expect([undone.results, await snapshot(disk)]).toMatchObject([[{ state: 'done' }], {}])
    await undo(undone.change ?? '')
    expect(await readFile(file, 'utf8')).toBe('worked on')
  })

  test('but not where another file has its path, or none', async () => {
    const { disk, id, file } = await brought()
    await rm(file)
    expect((await undo(id)).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    await writeFile(file, 'of another program')
    expect((await undo(id)).results).toMatchObject([{ state: 'failed', code: 'gone' }])
    expect([await readFile(file, 'utf8'), await readdir(disk)]).toEqual(['of another program', ['a.txt']])
  })
})

describe('JRNL-01 is undone and done again', () => {
  /** Undoes a change and does it again, each as other calls. */
  async function demandBothWays(disk: string, before: unknown, id: string): Promise<void> {
    const after = await snapshot(disk)
    expect(after).not.toEqual(before)
    const undone = await undo(id)
    expect(undone.results?.map(({ state }) => state)).toEqual(undone.results?.map(() => 'done'))
    expect(await snapshot(disk)).toEqual(before)
    await undo(undone.change ?? '')
    expect(await snapshot(disk)).toEqual(after)
    await undo(id)
    expect(await snapshot(disk)).toEqual(before)
  }

  test('a new file', async () => {
    const { path, disk } = await corner(wire)
    const before = await snapshot(disk)
    await demandBothWays(disk, before, changeOf(await admin.put(`${path}/new.txt`, '')))
  })

  test('an extraction over files that are there', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'docs'))
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(disk, 'docs', name), `packed ${name}`)
    const jobs = jobsOf(wire, admin)
    const archive = { to: `${path}/a.zip`, format: 'zip' }
    await jobs.run({ kind: 'archive', items: [{ from: `${path}/docs` }], archive })
    await writeFile(join(disk, 'docs/a.txt'), 'newer')
    await rm(join(disk, 'docs/b.txt'))
    const before = await snapshot(disk)
    const items = [{ from: `${path}/a.zip`, to: path }]
    const { change = '' } = await jobs.run({ kind: 'extract', items, conflict: 'replace' })
    expect(await readFile(join(disk, 'docs/a.txt'), 'utf8')).toBe('packed a.txt')
    await demandBothWays(disk, before, change)
  })

  test('a chain and a cycle of new names', async () => {
    const { path, disk } = await corner(wire)
    for (const name of ['a', 'b', 'c', 'x', 'y']) await writeFile(join(disk, name), name)
    const before = await snapshot(disk)
    const pairs = ['ab', 'bc', 'cd', 'xy', 'yx'].map(pair => ({ from: `${path}/${pair[0]}`, to: `${path}/${pair[1]}` }))
    const { change = '' } = await jobsOf(wire, admin).run({ kind: 'rename', items: pairs })
    await demandBothWays(disk, before, change)
  })
})
