import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { appendFile, chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ListedRows, ListingEnd, ListingStart } from '../../shared/api/resources.ts'
import { itemsOf } from '../../shared/decode-listing.ts'
import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'
import { call, encode, json, person } from './client.ts'
import { type Corner, corner, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { head, openSocket } from './raw.ts'

const server = await openInstance()
const { token } = await person(server)

const list = (path: string, headers: Record<string, string> = {}, as = token) =>
  call(server, `/api/resources${encode(path)}/`, { token: as, headers })
const IN_ROWS = { Accept: `${LISTING_IN_ROWS}, application/json` }

/** A corner with so many files of one byte. */
async function filled(count: number): Promise<Corner> {
  const place = await corner(server)
  for (let index = 0; index < count; index += 1) writeFileSync(join(place.disk, `file ${index}.txt`), '.')
  return place
}

/** A listing in rows, decoded to items, and its ETag. */
function readRows(text: string) {
  const [first = '', ...others] = text.trimEnd().split('\n')
  const { rows, ...folder }: ListingStart = JSON.parse(first)
  const further: ListedRows[] = others.slice(0, -1).map(line => JSON.parse(line))
  const { etag }: ListingEnd = JSON.parse(others.at(-1) ?? '')
  return { folder: { ...folder, items: [rows, ...further].flatMap(each => itemsOf(each, folder.path)) }, etag }
}

const FORMS: [string, Record<string, string>][] = [
  ['as JSON', {}],
  ['in rows', IN_ROWS],
]

describe.each(FORMS)('a listing %s', (_, form) => {
  test('is not sent again to clients that have it', async () => {
    const { path } = await filled(3)
    const etag = (await list(path, form)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const answer = await list(path, { ...form, 'If-None-Match': known })
      expect(answer).toMatchObject({ status: 304, text: '' })
      expect(answer.headers.get('etag')).toBe(etag)
    }
    expect((await list(path, { ...form, 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('differs after each change to the listing', async () => {
    const { path, disk } = await filled(3)
    const file = join(disk, 'file 1.txt')
    const changes: (() => Promise<unknown>)[] = [
      () => appendFile(file, 'more'),
      () => utimes(file, 1, 1),
      () => writeFile(join(disk, 'new'), ''),
      () => mkdir(join(disk, 'folder')),
      () => rm(join(disk, 'file 0.txt')),
    ]
    let etag = (await list(path, form)).headers.get('etag') ?? ''
    for (const change of changes) {
      await change()
      const answer = await list(path, { ...form, 'If-None-Match': etag })
      expect(answer.status).toBe(200)
      etag = answer.headers.get('etag') ?? ''
      expect((await list(path, { ...form, 'If-None-Match': etag })).status).toBe(304)
    }
  })

  test('of very many entries is compared too, and is sent whole when it has changed', async () => {
    const { path, disk } = await filled(1100)
    const first = (await list(path, { ...form, 'If-None-Match': '"other"' })).headers.get('etag') ?? ''
    expect((await list(path, { ...form, 'If-None-Match': first })).status).toBe(304)
    await writeFile(join(disk, 'file 1099.txt'), 'longer')
    const answer = await list(path, { ...form, 'If-None-Match': first })
    expect(answer.status).toBe(200)
    const { items } = form === IN_ROWS ? readRows(answer.text).folder : json(answer)
    expect(items).toHaveLength(1100)
    expect(items.at(-1)).toMatchObject({ name: 'file 1099.txt', size: 6 })
  })
})

test('each encoding has a version of its own, and `Vary`', async () => {
  const { path } = await filled(1)
  const [inJson, inRows] = [await list(path), await list(path, IN_ROWS)]
  expect(inJson.headers.get('vary')).toBe('Accept, Accept-Encoding')
  expect(inJson.headers.get('etag')).not.toBe(inRows.headers.get('etag'))
  const known = { 'If-None-Match': inJson.headers.get('etag') ?? '' }
  expect((await list(path, { ...IN_ROWS, ...known })).status).toBe(200)
})

test('rows decode to the items of JSON, and their version is that of the header', async () => {
  const { path, disk } = await filled(2)
  await mkdir(join(disk, 'sub'))
  await symlink('file 0.txt', join(disk, 'link'))
  await symlink('sub', join(disk, 'link to sub'))
  await symlink('/nowhere', join(disk, 'astray'))
  await writeFile(join(disk, 'README'), 'text without a name for it')
  await chmod(join(disk, 'README'), 0o604)
  const answer = await list(path, IN_ROWS)
  expect(answer.headers.get('content-type')).toBe(LISTING_IN_ROWS)
  const { folder, etag } = readRows(answer.text)
  expect(folder).toEqual(json(await list(path)))
  expect(etag).toBe(answer.headers.get('etag'))
})

test('the version at the end of many rows is the one that clients send back', async () => {
  const { path } = await filled(1100)
  const answer = await list(path, IN_ROWS)
  const { folder, etag } = readRows(answer.text)
  expect(folder).toEqual(json(await list(path)))
  expect((await list(path, { ...IN_ROWS, 'If-None-Match': etag })).status).toBe(304)
})

test('a file with a trailing slash is returned as JSON, whatever the preference', async () => {
  const { path } = await filled(1)
  const answer = await list(`${path}/file 0.txt`, IN_ROWS)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(json(answer)).toMatchObject({ name: 'file 0.txt', size: 1 })
})

test('RULE-04 the version does not depend on denied entries', async () => {
  const { path, disk } = await filled(2)
  await mkdir(join(disk, 'denied'))
  await enrol(server, [{ name: 'half', scope: path, may: EVERYTHING, rules: [{ allow: false, path: '/denied' }] }])
  const half = await person(server, 'half', PASSWORD)
  const versions = async () => {
    const mine = await list('', {}, half.token)
    return [mine.headers.get('etag'), (await list(path)).headers.get('etag')]
  }
  const [mine, all] = await versions()
  await utimes(join(disk, 'denied'), 1, 1)
  const [mineThen, allThen] = await versions()
  expect(mineThen).toBe(mine)
  expect(allThen).not.toBe(all)
})

test('a shared folder is not sent again to clients that have it', async () => {
  const { path } = await filled(2)
  const share = json(await call(server, `/api/share${encode(path)}`, { method: 'POST', token, body: '{}' }))
  const open = (headers = {}) => call(server, `/api/public/share/${share.hash}/`, { headers })
  const first = await open()
  expect(json(first).items).toHaveLength(2)
  expect((await open({ 'If-None-Match': first.headers.get('etag') ?? '' })).status).toBe(304)
  expect(readRows((await open(IN_ROWS)).text).folder).toEqual(json(first))
})

test('while four long listings are buffered for slow readers, the next one is sent without being compared', async () => {
  const place = await corner(server)
  for (let index = 0; index < 16_000; index += 1) writeFileSync(join(place.disk, `${index}`.padStart(200, '_')), '')
  const long = encode(place.path)
  const { etag } = readRows((await list(place.path, IN_ROWS)).text)
  const known = { ...IN_ROWS, 'If-None-Match': etag }
  expect((await list(place.path, known)).status).toBe(304)
  const target = `${server.base}/api/resources${long}/`
  const slow = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = await openSocket(server)
      socket.write(head(server, { target, headers: { 'X-Auth': token, 'If-None-Match': '"other"' } }))
      await once(socket, 'data')
      return socket.pause()
    }),
  )
  expect((await list(place.path, known)).status).toBe(200)
  for (const socket of slow) socket.destroy()
  await expect.poll(async () => (await list(place.path, known)).status).toBe(304)
})
