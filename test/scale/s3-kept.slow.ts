import { createHash } from 'node:crypto'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { namesIn, p, put, refusal, textAt } from '../../server/storage/conformance/place.ts'
import type { KeptAt, KeptThings, ReplacedFile, StorageDriver } from '../../server/storage/driver.ts'
import { S3Client, type S3Request } from '../../server/storage/s3/client.ts'
import { versionsUnder } from '../../server/storage/s3/kept/versioning.ts'
import { listAll, putObject } from '../../server/storage/s3/objects.ts'
import { openS3 } from '../../server/storage/s3.ts'
import { type BucketPlace, bucketPlace, versionedPlace } from './s3-place.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const ID = '01jd2m8w3k6p9qrs4t5v7x0yza'
const note = { id: ID, username: 'anna', deletedAt: Date.UTC(2026, 10, 23, 9) }

const KINDS: [name: string, make: () => Promise<BucketPlace>][] = [
  ['a bucket', bucketPlace],
  ['a bucket with versions', versionedPlace],
]

afterEach(() => {
  vi.restoreAllMocks()
})

async function placeOf(make: () => Promise<BucketPlace>): Promise<BucketPlace & { kept: KeptThings }> {
  const place = await make()
  onTestFinished(() => place.close())
  return { ...place, kept: keptOf(place.store) }
}

function keptOf({ kept }: StorageDriver): KeptThings {
  if (!kept) throw new Error('this store keeps nothing')
  return kept
}

async function keep({ kept }: { kept: KeptThings }, path: string, id = ID): Promise<KeptAt> {
  const planned = await kept.plan(p(path), id)
  await kept.setAside(p(path), planned, { ...note, id })
  return planned.at
}

const tree = async ({ store }: BucketPlace) => {
  for (const name of ['a', 'b', 'sub/c']) await put(store, `/docs/${name}`, name)
}

/** Keys with all their versions, those of our own objects left out. */
async function versionsIn({ client, base }: BucketPlace): Promise<string[]> {
  const keys: string[] = []
  for await (const versions of versionsUnder(client, base)) {
    keys.push(...versions.map(({ key, isMarker }) => `${key.slice(base.length)}${isMarker ? ' hidden' : ''}`))
  }
  return keys.filter(key => !key.startsWith('.~fg/'))
}

async function ownKeys({ client, base }: BucketPlace): Promise<string[]> {
  const keys: string[] = []
  for await (const { objects } of listAll(client, `${base}.~fg/`)) keys.push(...objects.map(({ key }) => key))
  return keys.map(key => key.slice(`${base}.~fg/kept/`.length)).filter(key => key !== 'mark')
}

/** Calls `act` before the first request that matches. */
function before(matches: (request: S3Request) => boolean, act: () => Promise<void>): void {
  const ask = S3Client.prototype.ask
  let isFirst = true
  vi.spyOn(S3Client.prototype, 'ask').mockImplementation(async function (this: S3Client, request) {
    if (isFirst && matches(request)) {
      isFirst = false
      await act()
    }
    return ask.call(this, request)
  })
}

/** Every request that matches fails, as if the process had been killed before it. */
function killedBefore(matches: (request: S3Request) => boolean): void {
  const ask = S3Client.prototype.ask
  vi.spyOn(S3Client.prototype, 'ask').mockImplementation(async function (this: S3Client, request) {
    if (matches(request)) throw new Error('killed')
    return ask.call(this, request)
  })
}

const isRemoval = ({ method, query, key = '' }: S3Request) =>
  !key.includes('/.~fg/') && (method === 'DELETE' || (method === 'POST' && query?.delete !== undefined))
const isNote =
  (wanted: string) =>
  ({ method, key = '' }: S3Request) =>
    method === wanted && key.includes('/kept/info/')

describe.runIf(hasS3).each(KINDS)('kept things in %s', (kind, make) => {
  const isVersioned = kind !== 'a bucket'

  test.each(['/docs', '/docs/a'])(
    'S3-H1 a deletion of %s that was killed after its note is finished, and is restored whole',
    async path => {
      const place = await placeOf(make)
      await tree(place)
      killedBefore(isRemoval)
      const { at } = await place.kept.plan(p(path), ID)
      await keep(place, path).catch(() => {})
      vi.restoreAllMocks()
      expect(await place.store.stat(p(path))).toBeDefined()
      await place.kept.complete?.(at, 'setAside')
      expect(await place.store.stat(p(path))).toBeUndefined()
      await place.kept.bringBack(at, p(path), { as: p(path) })
      expect([await textAt(place.store, '/docs/a'), await textAt(place.store, '/docs/sub/c')]).toEqual(['a', 'sub/c'])
      await place.kept.clear(at)
      expect(await ownKeys(place)).toEqual([])
    },
  )

  test.each(['/docs', '/docs/a'])(
    'S3-H1 a deletion of %s that was killed before its note never happened',
    async path => {
      const place = await placeOf(make)
      await tree(place)
      killedBefore(isNote('PUT'))
      const { at } = await place.kept.plan(p(path), ID)
      await keep(place, path).catch(() => {})
      vi.restoreAllMocks()
      await place.kept.complete?.(at, 'setAside')
      expect(await place.kept.look(at)).toBeUndefined()
      await place.kept.drop(at)
      expect([await namesIn(place.store, '/docs'), await ownKeys(place)]).toEqual([['a', 'b', 'sub'], []])
    },
  )

  test.each([
    ['/docs', '/docs'],
    ['/docs/a', '/docs/a'],
    ['/docs', '/to/x'],
    ['/docs/a', '/to/x'],
  ])('S3-H1 a restore of %s to %s that was killed is finished', async (path, to) => {
    const place = await placeOf(make)
    await tree(place)
    await place.store.mkdir(p('/to'))
    const at = await keep(place, path)
    killedBefore(request => isNote('DELETE')(request) || request.query?.delete !== undefined)
    await place.kept.bringBack(at, p(to), { as: p(path) }).catch(() => {})
    vi.restoreAllMocks()
    expect(await place.kept.look(at)).toBeDefined()
    await place.kept.complete?.(at, 'bringBack')
    const begun = await place.store.stat(p(to))
    if (!begun) await place.kept.bringBack(at, p(to), { as: p(path) })
    expect(await place.kept.look(at)).toBeUndefined()
    expect(await textAt(place.store, path === '/docs' ? `${to}/a` : to)).toBe('a')
    await place.kept.clear(at)
    expect(await ownKeys(place)).toEqual([])
  })

  test('S3-H1 a restore that was killed between two copies is finished, and nothing is there twice', async () => {
    const place = await placeOf(make)
    await tree(place)
    const at = await keep(place, '/docs')
    killedBefore(({ method, key = '' }) => method === 'PUT' && key.endsWith('papers/sub/c'))
    await place.kept.bringBack(at, p('/papers'), { as: p('/docs') }).catch(() => {})
    vi.restoreAllMocks()
    expect(await namesIn(place.store, '/papers/sub')).toEqual([])
    await place.kept.complete?.(at, 'bringBack')
    expect(await place.kept.look(at)).toBeUndefined()
    expect([await namesIn(place.store, '/papers'), await textAt(place.store, '/papers/sub/c')]).toEqual([
      ['a', 'b', 'sub'],
      'sub/c',
    ])
    await place.kept.clear(at)
    const own = isVersioned ? (await versionsIn(place)).filter(key => key.startsWith('docs/')) : []
    expect([own, await ownKeys(place)]).toEqual([[], []])
  })

  test('S3-H1 what another program writes during a deletion is neither deleted nor lost', async () => {
    const place = await placeOf(make)
    await tree(place)
    before(isRemoval, async () => {
      await putObject(place.client, `${place.base}docs/b`, Buffer.from('foreign'), {})
      await putObject(place.client, `${place.base}docs/new`, Buffer.from('foreign'), {})
    })
    const at = await keep(place, '/docs').catch(() => undefined)
    const there = await namesIn(place.store, '/docs')
    expect(there).toContain('new')
    if (!at) throw new Error('it was not kept')
    const view = await place.kept.open(at, () => true)
    expect(await textAt(view, `/${at.name}/a`)).toBe('a')
    if (isVersioned) expect([there, await textAt(place.store, '/docs/b')]).toEqual([['b', 'new'], 'foreign'])
  })

  test('S3-H1 a file that another program replaces right before its deletion stays', async () => {
    const place = await placeOf(make)
    await put(place.store, '/a.txt', 'old')
    const foreign = () => putObject(place.client, `${place.base}a.txt`, Buffer.from('foreign'), {})
    before(isNote('PUT'), async () => void (await foreign()))
    expect(await refusal(keep(place, '/a.txt'))).toBe('not_found')
    expect([await textAt(place.store, '/a.txt'), await ownKeys(place)]).toEqual(['foreign', []])
  })

  test('S3-H1 requests whose answers are lost change nothing twice', async () => {
    const place = await placeOf(make)
    await tree(place)
    const ask = S3Client.prototype.ask
    vi.spyOn(S3Client.prototype, 'ask').mockImplementation(async function (this: S3Client, request) {
      if (request.method === 'PUT' || request.method === 'DELETE' || request.query?.delete !== undefined) {
        await ask.call(this, request)
      }
      return ask.call(this, request)
    })
    const reports: ReplacedFile[] = []
    const keeping = {
      id: ID.replace('01', '02'),
      username: 'anna',
      mayCopy: 0,
      kept: async (file: ReplacedFile) => void reports.push(file),
    }
    await put(place.store, '/docs/a', 'new', { keep: keeping })
    const at = await keep(place, '/docs')
    expect(await place.store.stat(p('/docs'))).toBeUndefined()
    await place.kept.bringBack(at, p('/docs'), { as: p('/docs') })
    expect(await textAt(place.store, '/docs/a')).toBe('new')
    const second = await keep(place, '/docs', ID.replace('01', '03'))
    await place.kept.bringBack(second, p('/papers'), { as: p('/docs') })
    expect(await textAt(place.store, '/papers/sub/c')).toBe('sub/c')
    expect(reports.length).toBeGreaterThan(0)
  })

  test('deleting for good brings nothing older to light, and leaves nothing', async () => {
    const place = await placeOf(make)
    await put(place.store, '/a.txt', 'one')
    const kept: ReplacedFile[] = []
    const keeping = {
      id: ID.replace('01', '02'),
      username: 'anna',
      mayCopy: 0,
      kept: async (file: ReplacedFile) => void kept.push(file),
    }
    await put(place.store, '/a.txt', 'two', { keep: keeping })
    const at = await keep(place, '/a.txt')
    await place.kept.drop(at)
    await place.kept.clear(at)
    expect(await place.store.stat(p('/a.txt'))).toBeUndefined()
    const [version] = kept
    if (!version) throw new Error('nothing was kept')
    const view = await place.kept.open(version.at, () => true)
    expect(await textAt(view, `/${version.at.name}`)).toBe('one')
    await place.kept.drop(version.at)
    expect([await versionsIn(place), await ownKeys(place)]).toEqual([[], []])
  })

  test('the current content of a file is never removed with a kept one', async () => {
    const place = await placeOf(make)
    await tree(place)
    const at = await keep(place, '/docs')
    await place.kept.bringBack(at, p('/a'), { inner: p('/a'), as: p('/docs/a') })
    await place.store.mkdir(p('/docs'))
    await place.kept.bringBack(at, p('/docs/b'), { inner: p('/b'), as: p('/docs/b') })
    await place.kept.drop(at)
    await place.kept.clear(at)
    expect([await textAt(place.store, '/a'), await textAt(place.store, '/docs/b')]).toEqual(['a', 'b'])
    expect([await namesIn(place.store, '/docs'), await ownKeys(place)]).toEqual([['b'], []])
  })

  test('a file whose name another one took in the meantime comes back elsewhere, with its identity', async () => {
    const place = await placeOf(make)
    const { identity, modified } = await put(place.store, '/a.txt', 'old')
    const at = await keep(place, '/a.txt')
    await put(place.store, '/a.txt', 'new')
    await place.store.remove(p('/a.txt'))
    await place.kept.bringBack(at, p('/a.txt'), { as: p('/a.txt') })
    expect(await textAt(place.store, '/a.txt')).toBe('old')
    expect(await place.store.stat(p('/a.txt'))).toMatchObject({ identity, modified })
  })

  test('many objects are kept in pages, shown by folder, and restored', async () => {
    const place = await placeOf(make)
    const names = Array.from({ length: 130 }, (_, n) => `${n % 3}/${n}`)
    await Promise.all(names.map(name => put(place.store, `/docs/${name}`, name)))
    const at = await keep(place, '/docs')
    expect(await namesIn(place.store)).toEqual([])
    const view = await place.kept.open(at, () => true)
    expect(await namesIn(view, `/${at.name}`)).toEqual(['0', '1', '2'])
    expect(await namesIn(view, `/${at.name}/1`)).toHaveLength(43)
    await place.kept.bringBack(at, p('/one'), { inner: p('/1'), as: p('/docs/1') })
    await place.kept.bringBack(at, p('/docs'), { as: p('/docs') })
    expect([await namesIn(place.store, '/docs'), (await namesIn(place.store, '/one')).length]).toEqual([['0', '2'], 43])
    expect(await textAt(place.store, '/docs/2/2')).toBe('2/2')
    await place.kept.clear(at)
    expect(await ownKeys(place)).toEqual([])
  })

  test('the sweep of leftovers removes nothing that is kept', async () => {
    const place = await placeOf(make)
    await tree(place)
    const at = await keep(place, '/docs')
    await place.store.cleanup?.sweep(`${place.base}.~fg/`, { before: Date.now() + 60_000, isAwaited: () => false })
    await place.kept.bringBack(at, p('/docs'), { as: p('/docs') })
    expect(await textAt(place.store, '/docs/sub/c')).toBe('sub/c')
  })

  test('TRASH-11 kept things are neither among the names below a folder nor in its size', async () => {
    const place = await placeOf(make)
    await tree(place)
    await put(place.store, '/b.txt', 'b')
    await keep(place, '/docs')
    const found: string[] = []
    for await (const { entries } of place.store.scan?.names(p('/'), []) ?? [])
      found.push(...entries.map(({ path }) => path))
    expect(found).toEqual(['/b.txt'])
  })

  test('of a lifecycle rule the days are known after which the bucket forgets', async () => {
    const place = await placeOf(make)
    const rule = (prefix: string, what: string) =>
      `<Rule><ID>${what.length}</ID><Filter><Prefix>${prefix}</Prefix></Filter><Status>Enabled</Status>${what}</Rule>`
    const former = '<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays></NoncurrentVersionExpiration>'
    const current = '<Expiration><Days>2</Days></Expiration>'
    const rules = async (...all: string[]) => {
      const body = Buffer.from(`<LifecycleConfiguration>${all.join('')}</LifecycleConfiguration>`)
      const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
      await place.client.ask({ method: 'PUT', query: { lifecycle: '' }, body, headers })
      return place.kept.forgetsAfter?.()
    }
    try {
      expect(await place.kept.forgetsAfter?.()).toBeUndefined()
      expect(await rules(rule('elsewhere/', former))).toBeUndefined()
      expect(await rules(rule(`${place.base}logs/`, current))).toBeUndefined()
      expect(await rules(rule(place.base, former))).toBe(3)
      expect(await rules(rule(place.base, former), rule(`${place.base}.~fg/`, current))).toBe(2)
    } finally {
      await place.client.ask({ method: 'DELETE', query: { lifecycle: '' } })
    }
  })
})

describe.runIf(hasS3)('a bucket without versions', () => {
  test('keeps no folder of more objects than may be copied', async () => {
    const place = await placeOf(bucketPlace)
    await tree(place)
    const { credentials } = await sharedS3()
    const store = await openS3({ address: place.address, credentials, trashCopyObjects: 3 })
    expect(await refusal(keep({ kept: keptOf(store) }, '/docs'))).toBe('too_far')
    expect([await namesIn(place.store, '/docs'), await ownKeys(place)]).toEqual([['a', 'b', 'sub'], []])
    expect(await refusal(keep({ kept: keptOf(store) }, '/docs/a'))).toBe('done')
  })
})

describe.runIf(hasS3)('a bucket with versions', () => {
  test('a restored content that is replaced afterwards is not removed with what its deletion left', async () => {
    const place = await placeOf(versionedPlace)
    await put(place.store, '/a.txt', 'one')
    const at = await keep(place, '/a.txt')
    const isLeaving = ({ query }: S3Request) => query?.versions !== undefined && !!query.prefix?.includes('/leaving/')
    killedBefore(isLeaving)
    await place.kept.bringBack(at, p('/a.txt'), { as: p('/a.txt') }).catch(() => {})
    vi.restoreAllMocks()
    const kept: ReplacedFile[] = []
    const own = { id: ID.replace('01', '02'), username: 'anna', mayCopy: 0 }
    await put(place.store, '/a.txt', 'two', { keep: { ...own, kept: async file => void kept.push(file) } })
    await place.kept.clear(at)
    const [version] = kept
    if (!version) throw new Error('nothing was kept')
    const view = await place.kept.open(version.at, () => true)
    expect(await textAt(view, `/${version.at.name}`)).toBe('one')
  })

  test('a writer that is too late takes nothing from another one that kept the same content', async () => {
    const place = await placeOf(versionedPlace)
    await put(place.store, '/a.txt', 'one')
    const kept: ReplacedFile[] = []
    const keepAs = (id: string, act: (file: ReplacedFile) => Promise<unknown>) => {
      return {
        id: ID.replace('01', id),
        username: 'anna',
        mayCopy: 0,
        kept: async (file: ReplacedFile) => void (await act(file)),
      }
    }
    const other = keepAs('02', async file => kept.push(file))
    let isFirst = true
    const late = keepAs('03', async () => {
      if (isFirst) await put(place.store, '/a.txt', 'two', { keep: other })
      isFirst = false
    })
    await put(place.store, '/a.txt', 'three', { keep: late })
    const [version] = kept
    if (!version) throw new Error('nothing was kept')
    const view = await place.kept.open(version.at, () => true)
    expect(await textAt(view, `/${version.at.name}`)).toBe('one')
  })

  test('restores a tree without a copy', async () => {
    const place = await placeOf(versionedPlace)
    await tree(place)
    const before = await versionsIn(place)
    const at = await keep(place, '/docs')
    expect((await versionsIn(place)).filter(key => key.endsWith(' hidden'))).toHaveLength(before.length)
    await place.kept.bringBack(at, p('/docs'), { as: p('/docs') })
    expect(await versionsIn(place)).toEqual(before)
  })
})
