import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUser } from '../../server/features/users/users.store.ts'
import { parsePath } from '../../shared/path.ts'
import { type Answer, call, encode, json } from '../api/client.ts'
import type { OpenDocument } from '../office/editor.ts'
import { openOffice } from '../office/office-place.ts'

const place = await openOffice()
const { context, file, open, root, server, session } = place

const rename = (from: string, to: string, more = ''): Promise<Answer> => {
  const query = new URLSearchParams({ action: 'rename', destination: encode(to) })
  return call(server, `/api/resources${encode(from)}?${query}${more}`, { method: 'PATCH', token: session })
}
const remove = (path: string): Promise<Answer> =>
  call(server, `/api/resources${encode(path)}`, { method: 'DELETE', token: session })

/** What an editor does to save, and to leave. */
async function saveIn(one: OpenDocument, body: string): Promise<void> {
  for (const answer of [await one.lock('L'), await one.put(body, 'L'), await one.unlock('L')])
    expect(answer.status).toBe(200)
}

const nothingAt = (disk: string) => expect(access(disk)).rejects.toThrow('ENOENT')

describe('a document that an editor has open', () => {
  test('is saved under its new name after a rename', async () => {
    const { path, disk, folder } = await file()
    const one = await open(path)
    await saveIn(one, 'before')
    expect((await rename(path, `${folder}/b.odt`)).status).toBe(200)
    expect(json(await one.check())).toMatchObject({ BaseFileName: 'b.odt', UserCanWrite: true })
    await saveIn(one, 'after')
    expect(await readFile(join(dirname(disk), 'b.odt'), 'utf8')).toBe('after')
    await nothingAt(disk)
  })

  test('is saved in its folder after that has moved', async () => {
    const { path, disk, folder } = await file()
    const one = await open(path)
    expect((await rename(folder, `${folder}-moved`)).status).toBe(200)
    await saveIn(one, 'after')
    expect(await readFile(join(`${dirname(disk)}-moved`, 'a.odt'), 'utf8')).toBe('after')
    await nothingAt(disk)
  })

  test('is the same for all who open it after a rename', async () => {
    const { path, folder } = await file()
    const one = await open(path)
    await rename(path, `${folder}/b.odt`)
    expect((await open(`${folder}/b.odt`)).id).toBe(one.id)
  })

  test('is the same for all after it was moved over another one', async () => {
    const { path, folder } = await file()
    await writeFile(join(root, folder, 'b.odt'), 'other')
    const [one, other] = [await open(path), await open(`${folder}/b.odt`)]
    expect((await rename(path, `${folder}/b.odt`, '&override=true')).status).toBe(200)
    await saveIn(one, 'after')
    const [first, second] = [await open(`${folder}/b.odt`), await open(`${folder}/b.odt`)]
    expect([one.id, other.id]).toContain(first.id)
    expect(second.id).toBe(first.id)
    expect(await readFile(join(root, folder, 'b.odt'), 'utf8')).toBe('after')
  })

  test('stays where it is when a rename of it is refused', async () => {
    const { path, disk, folder } = await file()
    const one = await open(path)
    await writeFile(join(root, folder, 'b.odt'), 'other')
    expect((await rename(path, `${folder}/b.odt`)).status).toBe(409)
    await saveIn(one, 'after')
    expect(await readFile(disk, 'utf8')).toBe('after')
  })

  test('keeps its name while the editor has locked it', async () => {
    const { path, folder } = await file()
    const one = await open(path)
    await one.lock('L')
    expect((await rename(path, `${folder}/b.odt`)).status).toBe(423)
    expect((await rename(folder, `${folder}-moved`)).status).toBe(423)
    expect((await one.put('after', 'L')).status).toBe(200)
  })

  test('follows a folder that is merged with another one, and stays where that has its name', async () => {
    const { path, folder } = await file()
    const target = `${folder}-target`
    await writeFile(join(root, folder, 'stays.odt'), 'stays')
    await mkdir(join(root, target, folder), { recursive: true })
    await writeFile(join(root, target, folder, 'stays.odt'), 'another')
    const [moves, stays] = [await open(path), await open(`${folder}/stays.odt`)]
    const admin = await findUser(context.db, 1)
    if (!admin) throw new Error('there is no user')
    const { transfers } = await context.files.for(admin)
    await transfers.move(parsePath(folder), parsePath(target + folder), {
      override: false,
      rename: false,
      choose: at => (at.endsWith('/stays.odt') ? 'skip' : 'replace'),
    })
    await saveIn(moves, 'after')
    expect(await readFile(join(root, target, folder, 'a.odt'), 'utf8')).toBe('after')
    expect((await stays.get()).text).toBe('stays')
  })
})

describe('WOPI-07 the id of a document that was removed', () => {
  test('is not that of another one with its name', async () => {
    const { path, disk } = await file()
    const one = await open(path)
    expect((await remove(path)).status).toBe(204)
    await writeFile(disk, 'another')
    for (const answer of [await one.check(), await one.get(), await one.lock('L'), await one.put('stolen', 'L')])
      expect(answer.status).toBe(401)
    expect(await readFile(disk, 'utf8')).toBe('another')
    expect((await open(path)).id).not.toBe(one.id)
  })

  test('is not that of another one with its name after a rename', async () => {
    const { path, disk, folder } = await file()
    const one = await open(path)
    await rename(path, `${folder}/b.odt`)
    await writeFile(disk, 'another')
    await saveIn(one, 'after')
    expect(await readFile(disk, 'utf8')).toBe('another')
    expect((await open(path)).id).not.toBe(one.id)
  })
})
