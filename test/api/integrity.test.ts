import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { IntegrityFinding, IntegrityFindings, IntegrityReport } from '../../shared/api/integrity.ts'
import { call, encode, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const admin = await person(wire)
await enrol(wire, [{ name: 'integrity-user', may: EVERYTHING }])
const user = await person(wire, 'integrity-user', PASSWORD)

const OLD = new Date('2020-01-01T00:00:00Z')

/** A file that looks old, so that its checksum is recorded. */
async function write(disk: string, name: string, content: string): Promise<void> {
  await writeFile(join(disk, name), content)
  await utimes(join(disk, name), OLD, OLD)
}

const ask = (path: string, token?: string) => call(wire, `/api/integrity${path}`, token === undefined ? {} : { token })
const report = async (): Promise<IntegrityReport> => json(await ask('', admin.token))
const findings = async (under: string): Promise<IntegrityFinding[]> => {
  const page: IntegrityFindings = json(await ask('/findings', admin.token))
  return page.items.filter(({ place }) => place.startsWith(`${under}/`))
}
const settle = (id: string, body: unknown, token?: string) =>
  call(wire, `/api/integrity/findings/${id}`, {
    method: 'PATCH',
    ...(token !== undefined && { token }),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
/** Reads a file's checksum, which is recorded. */
const read = async (path: string): Promise<string> =>
  json(await call(wire, `/api/resources${encode(path)}?checksum=sha256`, { token: admin.token })).checksums.sha256
const manifest = async (path: string, query = '') =>
  (await call(wire, `/api/manifest${encode(path)}${query}`, { token: admin.token })).text

/** A file whose checksum is recorded, and whose content was then replaced with its old time set back. */
async function changed(first = 'one content', then = 'two content') {
  const { path, disk } = await corner(wire)
  await write(disk, 'a.txt', first)
  const before = await read(`${path}/a.txt`)
  await write(disk, 'a.txt', then)
  const after = await read(`${path}/a.txt`)
  const [finding] = await findings(path)
  if (!finding) throw new Error('the change was not found')
  return { path, disk, finding, before, after }
}

describe('the report of integrity', () => {
  test('counts the files whose checksum is known', async () => {
    const { path, disk } = await corner(wire)
    const before = await report()
    await write(disk, 'a.txt', 'a content')
    await read(`${path}/a.txt`)
    const after = await report()
    expect(after).toMatchObject({ scrub: 'off', hours: { from: 1, to: 6 }, rate: 20_971_520 })
    expect(after.known.files).toBe(before.known.files + 1)
    expect(after.checked.bytes).toBe(before.checked.bytes + 9)
    expect(after).not.toHaveProperty('next')
  })

  test('is for administrators', async () => {
    for (const path of ['', '/findings']) {
      expect((await ask(path)).status).toBe(401)
      expect((await ask(path, user.token)).status).toBe(403)
    }
    expect((await settle('x', { state: 'accepted' })).status).toBe(401)
    expect((await settle('x', { state: 'accepted' }, user.token)).status).toBe(403)
  })
})

describe('a file whose content is not the known one', () => {
  test('is found when its checksum is requested, once, with both checksums', async () => {
    const { path, finding, before, after } = await changed()
    const place = `${path}/a.txt`
    expect(finding).toMatchObject({ kind: 'quiet', state: 'open', place, path: place, size: 11, copies: [] })
    expect(finding).toMatchObject({ expected: before, found: after })
    await read(place)
    expect(await findings(path)).toEqual([finding])
    const doctor = json(await call(wire, '/api/doctor', { token: admin.token })) as { code: string }[]
    expect(doctor.map(({ code }) => code)).toContain('sumsDiffer')
  })

  test('is right from then on, once an administrator has accepted it', async () => {
    const { path, finding } = await changed()
    const settled = json(await settle(finding.id, { state: 'accepted' }, admin.token))
    expect(settled).toMatchObject({ state: 'accepted', settledBy: 'admin', copies: [] })
    await read(`${path}/a.txt`)
    expect(await findings(path)).toEqual([settled])
    expect((await settle(finding.id, { state: 'accepted' }, admin.token)).status).toBe(409)
  })

  test('is restored only when it has its content again, from a copy if one is named', async () => {
    const { path, disk, finding } = await changed('alone, one content', 'alone, two content')
    const restored = (from?: string) => settle(finding.id, { state: 'restored', ...(from && { from }) }, admin.token)
    expect((await restored()).status).toBe(409)
    await write(disk, 'other.txt', 'three content')
    expect((await restored(`${path}/other.txt`)).status).toBe(409)
    expect((await restored(`${path}/none.txt`)).status).toBe(404)
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('alone, two content')
    await write(disk, 'copy.txt', 'alone, one content')
    await read(`${path}/copy.txt`)
    expect(await findings(path)).toMatchObject([{ copies: [`${path}/copy.txt`] }])
    expect(json(await restored(`${path}/copy.txt`))).toMatchObject({ state: 'restored' })
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('alone, one content')
    expect((await stat(join(disk, 'a.txt'))).mtime).toEqual(OLD)
  })

  test('is not asked about with unknown states, or by an unknown id', async () => {
    expect((await ask('/findings?state=lost', admin.token)).status).toBe(400)
    expect((await settle('none', { state: 'accepted' }, admin.token)).status).toBe(404)
    expect((await settle('none', { state: 'open' }, admin.token)).status).toBe(400)
  })
})

describe('a manifest', () => {
  test('has known checksums of files with their size and time, and reads every file on request', async () => {
    const { path, disk } = await corner(wire)
    await write(disk, 'a.txt', 'one content')
    const first = await manifest(path)
    await write(disk, 'a.txt', 'two content')
    expect(await manifest(path)).toBe(first)
    const fresh = await manifest(path, '?fresh=true')
    expect(fresh).not.toBe(first)
    expect(await findings(path)).toMatchObject([{ kind: 'quiet' }])
    expect(await manifest(path)).toBe(fresh)
  })

  test('reads a file that was changed since', async () => {
    const { path, disk } = await corner(wire)
    await write(disk, 'a.txt', 'one content')
    const first = await manifest(path)
    await writeFile(join(disk, 'a.txt'), 'two content')
    expect(await manifest(path)).not.toBe(first)
    expect(await findings(path)).toEqual([])
  })
})
