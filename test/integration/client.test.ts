import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createClient, FiligreeError, signIn } from '../../client/index.ts'
import { serve } from '../api/instance.ts'
import { CLIENT_TYPES, clientTypes, wholeDescription } from '../docs/client-types.ts'

const wire = await serve()
const account = { url: wire.url, username: 'admin', password: wire.adminPassword }
const client = await signIn(account)
const { files } = client

/** How a call is refused. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: unknown) => (error instanceof FiligreeError ? error.code : error),
  )

test('the types of the client are those of the description', async () => {
  expect(readFileSync(CLIENT_TYPES, 'utf8')).toBe(clientTypes(await wholeDescription()))
})

describe('files', () => {
  test('are written, listed, read, saved and checked', async () => {
    await files.folder('/notes/100% sure? #ü')
    const path = '/notes/100% sure? #ü/a.txt'
    await files.write(path, 'First words', { modified: new Date('2020-05-06T07:08:09Z') })
    expect(await files.info(path)).toMatchObject({ isDir: false, size: 11, modified: '2020-05-06T07:08:09Z' })
    expect((await files.list('/notes/100% sure? #ü')).items.map(({ name }) => name)).toEqual(['a.txt'])
    expect(await (await files.read(path)).text()).toBe('First words')
    expect(await (await files.read(path, { range: { start: 6 } })).text()).toBe('words')
    expect(await files.checksum(path)).toBe(createHash('sha256').update('First words').digest('hex'))
    const walked = await Array.fromAsync(files.walk('/notes'))
    expect(walked.map(item => item.path)).toContain(path)
  })

  test('are saved only over the version that is known', async () => {
    const first = await files.write('/version.txt', 'one')
    const second = await files.save('/version.txt', 'two', first.version)
    expect(await refusal(files.save('/version.txt', 'three', first.version))).toBe('precondition_failed')
    const read = await files.read('/version.txt')
    expect([read.headers.get('etag'), await read.text()]).toEqual([second.version, 'two'])
  })

  test('are refused where the name is taken, unless it says otherwise', async () => {
    await files.write('/taken.txt', 'one')
    expect(await refusal(files.write('/taken.txt', 'two'))).toBe('exists')
    await files.write('/taken.txt', 'two', { replace: true })
    await files.copy('/taken.txt', '/taken.txt', { taken: 'rename' })
    expect(await refusal(files.copy('/taken.txt', '/taken(1).txt'))).toBe('exists')
    await files.move('/taken(1).txt', '/100%25 moved?.txt')
    expect(await (await files.read('/100%25 moved?.txt')).text()).toBe('two')
  })

  test('go to the trash and come back', async () => {
    await files.write('/gone.txt', 'here')
    const id = await files.remove('/gone.txt')
    expect((await client.trash.list()).items.map(item => item.id)).toContain(id)
    expect((await client.trash.restore(id ?? '')).results).toMatchObject([{ state: 'done' }])
    expect(await (await files.read('/gone.txt')).text()).toBe('here')
    expect(await files.remove('/gone.txt', { permanent: true })).toBeUndefined()
  })

  test('come as an archive', async () => {
    await files.write('/packed/a.txt', 'alpha')
    const bytes = new Uint8Array(await (await files.archive('/packed')).arrayBuffer())
    expect(String.fromCharCode(...bytes.slice(0, 2))).toBe('PK')
    expect((await files.usage()).total).toBeGreaterThan(0)
  })
})

describe('a large file', () => {
  const content = Uint8Array.from({ length: 5000 }, (_, index) => index % 251)
  /** Breaks the connection of some requests, before the server has them. */
  const breaking = (breaks: (init: RequestInit) => boolean) => {
    const sent: string[] = []
    const send: typeof fetch = async (address, init = {}) => {
      if (breaks(init)) throw new TypeError('fetch failed')
      if (init.method === 'PATCH') sent.push(new Headers(init.headers).get('upload-offset') ?? '')
      return fetch(address, init)
    }
    return { sent, send }
  }

  test('continues after a broken connection', async () => {
    let patches = 0
    const { sent, send } = breaking(({ method }) => method === 'PATCH' && ++patches === 2)
    const uneven = await signIn({ ...account, fetch: send })
    const progress: number[] = []
    const onProgress = (done: number) => progress.push(done)
    const { version } = await uneven.files.write('/large.bin', content, { chunk: 2000, onProgress })
    expect(sent).toEqual(['0', '2000', '4000'])
    expect(progress.at(-1)).toBe(5000)
    expect(version).toBeDefined()
    expect(new Uint8Array(await (await files.read('/large.bin')).arrayBuffer())).toEqual(content)
  })

  test('continues what another program left unfinished', async () => {
    let patches = 0
    const { send } = breaking(({ method }) => method === 'PATCH' && ++patches > 1)
    const dying = await signIn({ ...account, fetch: send })
    const how = { chunk: 2000, retries: 0 }
    await expect(dying.files.write('/resumed.bin', content, how)).rejects.toThrow('fetch failed')
    const { sent, send: good } = breaking(() => false)
    const next = await signIn({ ...account, fetch: good })
    await next.files.write('/resumed.bin', content, { ...how, resume: true })
    expect(sent).toEqual(['2000', '4000'])
    expect(new Uint8Array(await (await files.read('/resumed.bin')).arrayBuffer())).toEqual(content)
  })
})

describe('the account', () => {
  test('is refused with a code and its cause', async () => {
    expect(await refusal(signIn({ ...account, password: 'wrong' }))).toBe('wrong_credentials')
    expect(await refusal(createClient({ url: wire.url }).files.list('/'))).toBe('unauthorized')
    const error: unknown = await files.copy('/taken.txt', '/taken.txt/below').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: expect.any(Number), code: expect.any(String) })
    expect(() => files.info('no-slash')).toThrow('begins with a slash')
  })

  test('has its session renewed when the server asks for it', async () => {
    const tokens = new Set<string | null>()
    let asks = true
    const send: typeof fetch = async (address, init = {}) => {
      tokens.add(new Headers(init.headers).get('x-auth'))
      const response = await fetch(address, init)
      if (!asks || !String(address).endsWith('/api/resources/')) return response
      asks = false
      return new Response(response.body, {
        headers: { ...Object.fromEntries(response.headers), 'X-Renew-Token': 'true' },
      })
    }
    const renewed = await signIn({ ...account, fetch: send })
    await renewed.files.list('/')
    await renewed.files.list('/')
    // None for the sign-in, the first, and its successor.
    expect(tokens.size).toBe(3)
    await renewed.signOut()
    expect(await refusal(renewed.files.list('/'))).toBe('unauthorized')
  })

  test('shares, changes and ends a link', async () => {
    await files.write('/shared/a.txt', 'alpha')
    const { hash } = await client.shares.create('/shared/', { expires: 7, unit: 'days', label: 'friends' })
    expect((await client.shares.list('/shared/')).map(link => link.hash)).toEqual([hash])
    expect(await client.shares.change(hash, { expire: 0 })).toMatchObject({ expire: 0, label: 'friends' })
    await client.shares.remove(hash)
    expect((await client.shares.list()).map(link => link.hash)).not.toContain(hash)
  })

  test('searches with details, and stops when the loop ends', async () => {
    for (const name of ['one', 'two', 'three']) await files.write(`/found/needle-${name}.txt`, name)
    const hits = await Array.fromAsync(client.search('/found', 'needle', { details: true }))
    expect(hits.map(({ path, size }) => [path, size]).sort()).toEqual([
      ['needle-one.txt', 3],
      ['needle-three.txt', 5],
      ['needle-two.txt', 3],
    ])
    for await (const { path } of client.search('/found', 'needle')) {
      expect(path).toContain('needle')
      break
    }
  })

  test('follows events of a folder until it aborts', async () => {
    await files.folder('/watched')
    const end = new AbortController()
    const names: string[] = []
    const writing = setInterval(() => void files.write('/watched/a.txt', 'x', { replace: true }), 100)
    for await (const event of client.events({ folder: '/watched', signal: end.signal })) {
      names.push(event.name)
      if (event.name === 'folder') end.abort()
    }
    clearInterval(writing)
    expect(names).toContain('folder')
  })

  test('runs a job to its end', async () => {
    await files.write('/job.txt', 'work')
    const job = await client.jobs.start({ kind: 'copy', items: [{ from: '/job.txt', to: '/job-done.txt' }] })
    expect(await client.jobs.wait(job)).toMatchObject({ state: 'done', count: { done: 1 } })
    expect(await refusal(client.token())).toBe('not_found')
  })
})
