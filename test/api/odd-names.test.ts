import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  escaped,
  escapedTwice,
  filesInArchive,
  filesOnDisk,
  fromDisposition,
  fromJson,
  inArchive,
  type Name,
  nameOf,
  shown,
  someNames,
} from './byte-names.ts'
import { call, json, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const token = await signIn(wire)

const ask = (path: string, method = 'GET', body?: string) =>
  call(wire, path, { method, token, ...(body === undefined ? {} : { body }) })

async function succeed(path: string, method = 'GET', body?: string) {
  const answer = await ask(path, method, body)
  expect([200, 204], `${method} ${path}: ${answer.text}`).toContain(answer.status)
  return answer
}

const contentOf = (name: Name) => `the content of ${escaped(name)}`
const expected = (names: readonly Name[], contents = names) =>
  new Map(names.map((name, index) => [name.toString('latin1'), contentOf(contents[index] ?? name)]))

/** The names in a listing, search or tree, in bytes. */
const shownNames = (items: { name?: string; path: string }[]) =>
  shown(items.map(({ name, path }) => fromJson(name ?? path)))

/** Runs every operation on these files and checks the disk in between. */
async function journey(names: readonly Name[]): Promise<void> {
  const place = await corner(wire)
  for (const folder of ['in', 'copies', 'moved']) await mkdir(join(place.disk, folder))
  const at = (folder: string, name?: Name) => `${place.path}/${folder}${name ? `/${escaped(name)}` : ''}`
  await create(names, at)
  expect(await filesOnDisk(join(place.disk, 'in'))).toEqual(expected(names))
  await readAll(names, at)
  for (const name of names) await carry('copy', at('in', name), `${place.path}/copies`, name)
  expect(await filesOnDisk(join(place.disk, 'copies'))).toEqual(expected(names))
  const next = names.map((_name, index) => names[(index + 1) % names.length] ?? nameOf(''))
  for (const [index, name] of names.entries()) {
    await carry('rename', at('copies', name), `${place.path}/moved`, next[index] ?? name)
  }
  expect(await filesOnDisk(join(place.disk, 'moved'))).toEqual(expected(next, names))
  expect(await filesOnDisk(join(place.disk, 'copies'))).toEqual(new Map())
  await pack(names, at('in'))
  await share(names, at)
  for (const name of names) await succeed(`/api/resources${at('in', name)}`, 'DELETE')
  expect(await filesOnDisk(join(place.disk, 'in'))).toEqual(new Map())
  await succeed(`/api/resources${place.path}`, 'DELETE')
}

type At = (folder: string, name?: Name) => string

async function create(names: readonly Name[], at: At) {
  for (const name of names) await succeed(`/api/resources${at('in', name)}`, 'POST', contentOf(name))
}

/** Lists, reads and searches. */
async function readAll(names: readonly Name[], at: At) {
  const listing = json(await succeed(`/api/resources${at('in')}`))
  expect(shownNames(listing.items)).toEqual(shown(names))
  expect(shownNames(json(await succeed(`/api/search${at('in')}?query=`)))).toEqual(shown(names))
  expect(shownNames(json(await succeed(`/api/resources/recursive${at('in')}`)))).toEqual(shown(names))
  for (const name of names) {
    const raw = await succeed(`/api/raw${at('in', name)}`)
    expect(raw.text).toBe(contentOf(name))
    expect(fromDisposition(raw.headers.get('content-disposition'))).toEqual(name)
    const resource = json(await succeed(`/api/resources${at('in', name)}`))
    expect(fromJson(resource.name)).toEqual(name)
  }
}

const carry = (action: 'copy' | 'rename', from: string, folder: string, name: Name) =>
  succeed(
    `/api/resources${from}?action=${action}&destination=${encodeURIComponent(`${folder}/${escaped(name)}`)}`,
    'PATCH',
  )

async function pack(names: readonly Name[], folder: string) {
  const inside = new Map(names.map(name => [inArchive(name).toString('latin1'), contentOf(name)]))
  const selection = names.map(escapedTwice).join(',')
  for (const format of ['zip', 'tar'] as const) {
    const archive = await succeed(`/api/raw${folder}?algo=${format}`)
    expect(await filesInArchive(archive.bytes, format)).toEqual(inside)
  }
  const chosen = await succeed(`/api/raw${folder}?algo=zip&files=${selection}`)
  expect(await filesInArchive(chosen.bytes, 'zip')).toEqual(inside)
}

/** Shares each file and the folder, and reads them without an account. */
async function share(names: readonly Name[], at: At) {
  const folder = json(await succeed(`/api/share${at('in')}`, 'POST'))
  for (const name of names) {
    const link = json(await succeed(`/api/share${at('in', name)}`, 'POST'))
    expect(fromJson(link.path.slice(link.path.lastIndexOf('/') + 1))).toEqual(name)
    expect(json(await succeed(`/api/share${at('in', name)}`))).toMatchObject([{ hash: link.hash, path: link.path }])
    for (const path of [`/${link.hash}`, `/${folder.hash}/${escaped(name)}`]) {
      expect((await call(wire, `/api/public/dl${path}`)).text).toBe(contentOf(name))
      expect(fromJson(json(await call(wire, `/api/public/share${path}`)).name)).toEqual(name)
    }
  }
}

test('NAME-04 files with any names support every operation', async () => {
  await fc.assert(fc.asyncProperty(someNames, journey), { seed: 20_260_921, numRuns: 15, endOnFailure: true })
})

test('every printable ASCII character may be anywhere in a name', async () => {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
    char => char !== '/',
  )
  // Each at the front, in the middle or at the end of a name, and every name with one of each.
  const wherever = Array.from({ length: Math.ceil(characters.length / 3) }, (_, index) => {
    const [front = '', middle = '', end = ''] = characters.slice(index * 3, index * 3 + 3)
    return `${front}b${index}${middle}c${end}`
  })
  await journey([characters.join(''), ...wherever].map(nameOf))
})

test('visually equal names are different files in every operation', async () => {
  const alike = ['\u00e9', 'e\u0301', '%C3%A9', '%E9', '\\xE9', '\ufffd', 'Ã©', 'a%2Fb', 'a%252Fb', 'a∕b']
  const bytes = [[0xe9], [0xc3], [0xc3, 0xa9, 0xc3], [0xed, 0xb3, 0xa9], [0xc0, 0xaf], [0xef, 0xbf]]
  await journey([...alike.map(nameOf), ...bytes.map(name => Buffer.from(name))])
})
