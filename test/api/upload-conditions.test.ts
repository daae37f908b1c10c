import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, encode, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { tusOf } from './tus.ts'

const wire = await openInstance()
const { token } = await person(wire)
const tus = tusOf(wire, { token })

/** Where the two ways of uploading differ; everything else applies to both. */
const whole = (path: string, body: string, headers: Record<string, string>, query = '') =>
  call(wire, `/api/resources${encode(path)}${query}`, { method: 'POST', token, headers, body })
const inPieces = async (path: string, body: string, headers: Record<string, string>, query = '') => {
  const begun = await tus.create(path, body.length, { headers, query })
  return begun.status === 201 ? tus.patch(path, 0, body) : begun
}

const OLD = Date.UTC(2020, 4, 17, 9, 0, 0)
const at = (time: number) => ({ 'If-Unmodified-Since': new Date(time).toUTCString() })

async function standing() {
  const { path, disk } = await corner(wire)
  const file = join(disk, 'a')
  await writeFile(file, 'old')
  await utimes(file, OLD / 1000, OLD / 1000)
  return { path: `${path}/a`, file, disk }
}

describe.each([
  ['whole', whole],
  ['in pieces', inPieces],
])('an upload sent %s', (_how, upload) => {
  test('keeps the modification time', async () => {
    const { path, disk } = await corner(wire)
    await upload(`${path}/new`, 'x', { 'Upload-Modified': String(OLD + 123) })
    expect((await stat(join(disk, 'new'))).mtimeMs).toBe(OLD + 123)
    await upload(`${path}/before 1970`, 'x', { 'Upload-Modified': '-1000' })
    expect((await stat(join(disk, 'before 1970'))).mtimeMs).toBe(-1000)
  })

  test('is refused with an invalid modification time', async () => {
    const { path, disk } = await corner(wire)
    for (const time of ['soon', '1e3', '', '99999999999999999']) {
      expect((await upload(`${path}/new`, 'x', { 'Upload-Modified': time })).status).toBe(400)
    }
    expect(await readdir(disk)).toEqual([])
  })

  test('replaces only a file unmodified since', async () => {
    const { path, file, disk } = await standing()
    expect((await upload(path, 'new', at(OLD - 1000), '?override=true')).status).toBe(412)
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(disk)).toEqual(['a'])
    expect((await upload(path, 'new', at(OLD), '?override=true')).status).toBeLessThan(205)
    expect(await readFile(file, 'utf8')).toBe('new')
  })

  test('requires override in any case', async () => {
    const { path, file } = await standing()
    expect((await upload(path, 'new', at(OLD))).status).toBe(409)
    expect(await readFile(file, 'utf8')).toBe('old')
  })

  test('replaces only the version it names', async () => {
    const { path, file } = await standing()
    expect((await upload(path, 'new', { 'If-Match': '"another"' }, '?override=true')).status).toBe(412)
    expect(await readFile(file, 'utf8')).toBe('old')
  })
})

test('a file that changed while the chunks arrived is not replaced', async () => {
  const { path, file } = await standing()
  await tus.create(path, 3, { headers: at(OLD), query: '?override=true' })
  await writeFile(file, 'saved by another client')
  expect((await tus.patch(path, 0, 'new')).status).toBe(412)
  expect(await readFile(file, 'utf8')).toBe('saved by another client')
})
