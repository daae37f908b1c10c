import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager, perm } from './accounts.ts'
import { type Answer, call, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance, WITH_TRASH } from './instance.ts'
import { EVERYTHING, PASSWORD, whole } from './people.ts'

const wire = await openInstance(WITH_TRASH)
const boss = await manager(wire)

const post = ({ token }: Person, path: string, body: object): Promise<Answer> =>
  call(wire, path, {
    method: 'POST',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const codeOf = (answer: Answer) => {
  const [{ state, code }] = json(answer).results
  return code ?? state
}
const restore = async (who: Person, id: string, to?: string) =>
  codeOf(await post(who, '/api/trash/restore', { items: [{ id, ...(to !== undefined && { to }) }] }))
const purge = async (who: Person, id: string) => codeOf(await post(who, '/api/trash/purge', { ids: [id] }))
const listOf = async ({ token }: Person) => json(await call(wire, '/api/trash', { token }))
const idsOf = async (who: Person): Promise<string[]> => (await listOf(who)).items.map(({ id }: { id: string }) => id)
const read = async ({ token }: Person, id: string) => (await call(wire, `/api/trash/raw/${id}`, { token })).status

/** A user with a home of their own, who has deleted a file in it. */
async function deleted(rights: Parameters<typeof perm> = [...EVERYTHING]) {
  const [name, folder] = [uniqueName('rights'), uniqueName('home')]
  const disk = join(wire.root, folder)
  await mkdir(join(disk, 'docs'), { recursive: true })
  await writeFile(join(disk, 'docs/a.txt'), 'content')
  const user = await boss.add(name, { password: PASSWORD, scope: `/${folder}`, perm: perm(...rights) })
  const before = await person(wire, name, PASSWORD)
  const id = (await before.remove('/docs/a.txt')).headers.get('X-Kept') ?? ''
  expect(id).not.toBe('')
  /** Changes fields of the account. @returns the user, signed in again */
  const change = async (fields: Record<string, unknown>) => {
    expect((await boss.update(user, Object.keys(fields), fields)).status).toBe(200)
    return person(wire, name, PASSWORD)
  }
  return { id, disk, folder, user, name, before, change }
}

/** Requires that a user learns no more of an item than of one that never was. */
async function demandUnknown(who: Person, id: string): Promise<void> {
  const never = '01aaaaaaaaaaaaaaaaaaaaaaaa'
  expect(await listOf(who)).toMatchObject({ items: [], count: 0 })
  for (const path of ['items', 'raw']) {
    const [asked, other] = await Promise.all(
      [id, never].map(one => call(wire, `/api/trash/${path}/${one}`, { token: who.token })),
    )
    expect([asked?.status, asked?.text]).toEqual([404, other?.text])
  }
  for (const to of [undefined, '/mine.txt']) expect(await restore(who, id, to)).toBe('not_found')
  expect(await purge(who, id)).toBe('not_found')
}

test('TRASH-04 a rule that is added after a deletion hides the item, and it comes back once the rule is gone', async () => {
  const { id, disk, change } = await deleted()
  for (const rule of [{ path: '/docs' }, { regex: true, regexp: { raw: 'a\\.txt$' } }]) {
    await demandUnknown(await change({ rules: [whole(rule)] }), id)
    expect(await readdir(join(disk, 'docs'))).toEqual([])
  }
  expect(await restore(await change({ rules: [] }), id)).toBe('done')
})

test('TRASH-04 a permission that is taken after a deletion is needed for what it allowed', async () => {
  const { id, disk, change } = await deleted()
  // Users who share must be able to download.
  const rights = EVERYTHING.filter(name => name !== 'share')
  const without = (right: string) => change({ perm: perm(...rights.filter(name => name !== right)) })
  expect(await restore(await without('create'), id)).toBe('forbidden')
  expect(await purge(await without('delete'), id)).toBe('forbidden')
  expect(await read(await without('download'), id)).toBe(403)
  const none = await change({ perm: perm() })
  expect([await restore(none, id), await purge(none, id), await read(none, id)]).toEqual([
    'forbidden',
    'forbidden',
    403,
  ])
  expect(await readdir(join(disk, 'docs'))).toEqual([])
  expect(await restore(await change({ perm: perm('create') }), id)).toBe('done')
})

test('TRASH-04 a user whose home is another folder now sees and restores nothing of the one before', async () => {
  const { id, disk, folder, change } = await deleted()
  const other = uniqueName('home')
  await mkdir(join(wire.root, other))
  await demandUnknown(await change({ scope: `/${other}` }), id)
  expect([await readdir(join(wire.root, other)), await readdir(join(disk, 'docs'))]).toEqual([[], []])
  const deeper = await change({ scope: `/${folder}/docs` })
  expect((await listOf(deeper)).items).toMatchObject([{ id, path: '/a.txt' }])
  expect(await restore(deeper, id)).toBe('done')
})

test('TRASH-04 what a removed user deleted is restored by users who see its place, and not by the old session', async () => {
  const { id, disk, folder, user, name, before } = await deleted()
  const colleague = uniqueName('colleague')
  await boss.add(colleague, { password: PASSWORD, scope: `/${folder}`, perm: perm(...EVERYTHING) })
  expect((await boss.remove(user)).status).toBe(200)
  for (const path of ['restore', 'purge'])
    expect((await post(before, `/api/trash/${path}`, { items: [{ id }], ids: [id] })).status).toBe(401)
  expect(await read(before, id)).toBe(401)
  const who = await person(wire, colleague, PASSWORD)
  expect((await listOf(who)).items).toMatchObject([{ id, by: name, mine: false }])
  expect(await purge(who, id)).toBe('forbidden')
  expect(await restore(who, id)).toBe('done')
  expect(await readdir(join(disk, 'docs'))).toEqual(['a.txt'])
})

test('TRASH-04 an administrator who is one no longer deletes for good only what they deleted themselves', async () => {
  const { id: theirs, folder } = await deleted()
  const { id: own, change, user } = await deleted([...EVERYTHING, 'admin'])
  expect((await boss.update(user, ['scope'], { scope: `/${folder}` })).status).toBe(200)
  const demoted = await change({ perm: perm(...EVERYTHING) })
  expect(await idsOf(demoted)).toEqual([theirs])
  expect([await purge(demoted, theirs), await purge(demoted, own)]).toEqual(['forbidden', 'not_found'])
  const again = await change({ perm: perm(...EVERYTHING, 'admin') })
  expect(await purge(again, theirs)).toBe('done')
})
