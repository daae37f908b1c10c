import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { VersionsPage } from '../../shared/api/versions.ts'
import { type Answer, call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { corner, serve } from '../api/instance.ts'
import { COUNTABLE, canInject, injecting, watching } from './inject.ts'

const save = (server: OwnServer, owner: Person, path: string, content: string): Promise<Answer> =>
  call(server, `/api/resources${path}`, { method: 'PUT', token: owner.token, body: content })
const pageOf = async (server: OwnServer, owner: Person, path: string): Promise<VersionsPage> =>
  json(await call(server, `/api/versions${path}`, { token: owner.token }))
const textsOf = async (server: OwnServer, owner: Person, path: string): Promise<string[]> => {
  const { items } = await pageOf(server, owner, path)
  const answers = items.map(({ id }) => call(server, `/api/kept/raw/${id}`, { token: owner.token }))
  return (await Promise.all(answers)).map(({ text }) => text)
}
const restore = (server: OwnServer, owner: Person, path: string, id: string | undefined) =>
  call(server, `/api/versions${path}`, {
    method: 'POST',
    token: owner.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, how: 'replace' }),
  })

const undo = (server: OwnServer, { token }: Person, id: string | null | undefined) =>
  call(server, `/api/changes/${id}/undo`, {
    method: 'POST',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })

/** Moves `from` over `to`. */
const moveOver = (server: OwnServer, owner: Person, from: string, to: string): Promise<Answer> =>
  call(server, `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}&override=true`, {
    method: 'PATCH',
    token: owner.token,
  })

/** The names of the former contents that the disk keeps. */
async function keptIn(root: string): Promise<string[]> {
  const area = (await readdir(root)).find(name => name.startsWith('.filigree-'))
  if (!area) return []
  const names = await readdir(join(root, area, 'versions'), { recursive: true }).catch(() => [])
  return names.filter(name => name.includes('/'))
}

/** What a disk can answer a call. */
const ERRORS = ['ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'EPERM']

// A database that servers share decides later what was interrupted, and flushes in its own process.
const isOwnDatabase = process.env.FILIGREE_TEST_DATABASE === undefined

describe.runIf(canInject && isOwnDatabase)('replaced files and the database next to them', () => {
  test.each(['save', 'move'])(
    'HIST-04 of a %s the second name and its record are durable before the rename, and the rename before the response',
    async way => {
      const server = await serve({ env: COUNTABLE })
      const owner = await person(server)
      const { disk, path } = await corner(server)
      await writeFile(join(disk, 'a.txt'), 'one')
      await save(server, owner, `${path}/a.txt`, 'two')
      const calls = 'link,linkat,rename,renameat,renameat2,fsync,fdatasync,write,writev'
      await writeFile(join(disk, 'b.txt'), 'three')
      const act = () =>
        way === 'save'
          ? save(server, owner, `${path}/a.txt`, 'three')
          : moveOver(server, owner, `${path}/b.txt`, `${path}/a.txt`)
      const { lines } = await watching(server.pid, calls, act, { paths: true })
      const first = (pattern: RegExp, from = 0) => {
        const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
        expect(found, `${pattern}\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
        return found
      }
      const linked = first(/link(?:at)?\(/)
      const published = first(/rename(?:at2?)?\(/)
      const folder = first(/fsync\(\d+<[^>]*\/versions\/[^/>]+>/, linked)
      const record = first(/f(?:data)?sync\(\d+<[^>]*\.db-wal>/, linked)
      expect(Math.max(linked, folder, record)).toBeLessThan(published)
      const after = first(new RegExp(`fsync\\(\\d+<${disk}>`), published)
      expect(first(/HTTP\/1\.1 200/, after)).toBeGreaterThan(after)
    },
  )

  test.each(['save', 'restore', 'undo', 'move'] as const)(
    'HIST-02 through a kill at every link, rename and flush of a %s both contents are there, and nothing else',
    async operation => {
      let server = await startServer({ env: COUNTABLE })
      onTestFinished(() => server.stop())
      const owner = await person(server)
      for (const calls of ['link,linkat,rename,renameat,renameat2', 'fsync,fdatasync']) {
        for (let nth = 1, hit = true; hit; nth += 1) {
          const { disk, path } = await corner(server)
          const file = `${path}/a.txt`
          await writeFile(join(disk, 'a.txt'), 'one')
          const isReturn = operation === 'restore' || operation === 'undo'
          const first = isReturn ? await save(server, owner, file, 'two') : undefined
          const before = await textsOf(server, owner, file)
          const [old, made] = isReturn ? ['two', 'one'] : ['one', 'two']
          const { items } = await pageOf(server, owner, file)
          if (operation === 'move') await writeFile(join(disk, 'b.txt'), 'two')
          const deed = () => {
            if (operation === 'save') return save(server, owner, file, 'two')
            if (operation === 'undo') return undo(server, owner, first?.headers.get('X-Change'))
            if (operation === 'move') return moveOver(server, owner, `${path}/b.txt`, file)
            return restore(server, owner, file, items[0]?.id)
          }
          const act = () =>
            deed().then(
              ({ status }) => status,
              () => 'cut off' as const,
            )
          const kill = { calls, what: 'signal=SIGKILL', nth }
          const { result } = await injecting(server.pid, kill, act)
          hit = result === 'cut off'
          if (!hit) break
          const now = await readFile(join(disk, 'a.txt'), 'utf8')
          await server.end('SIGKILL')
          server = await startServer({ home: server.home, root: server.root, env: COUNTABLE })
          const expected = now === made ? [old, ...before] : before
          expect([old, made], `${calls} ${nth}`).toContain(now)
          await expect.poll(() => textsOf(server, owner, file)).toEqual(expected)
          expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe(now)
          const left = operation === 'move' && now === old ? ['a.txt', 'b.txt'] : ['a.txt']
          // What a killed write left is swept soon after the start.
          await expect.poll(() => readdir(disk)).toEqual(left)
        }
      }
    },
    300_000,
  )
})

describe.runIf(canInject)('replaced files', () => {
  test('VERS-04 where a file can have no second name it is copied; a larger one is not kept, and the response says so', async () => {
    const server = await serve({ env: COUNTABLE, args: ['--versionCopyBytes=10'] })
    const owner = await person(server)
    const { disk, path } = await corner(server)
    for (const errno of ['EPERM', 'EMLINK', 'EXDEV', 'EOPNOTSUPP']) {
      const fault = { calls: 'link,linkat', what: `error=${errno}`, nth: 1 }
      await writeFile(join(disk, errno), 'small')
      const before = await stat(join(disk, errno), { bigint: true })
      const small = await injecting(server.pid, fault, () => save(server, owner, `${path}/${errno}`, 'two'))
      expect([small.hit, small.result.status]).toEqual([true, 200])
      expect(await textsOf(server, owner, `${path}/${errno}`)).toEqual(['small'])
      const [item] = (await pageOf(server, owner, `${path}/${errno}`)).items
      expect(Date.parse(item?.modified ?? '')).toBe(Math.floor(Number(before.mtimeMs)))
      await writeFile(join(disk, `${errno} large`), 'larger than ten bytes')
      const large = await injecting(server.pid, fault, () => save(server, owner, `${path}/${errno}%20large`, 'two'))
      expect([large.result.status, large.result.headers.get('X-Kept')]).toEqual([200, 'no'])
      expect(await textsOf(server, owner, `${path}/${errno}%20large`)).toEqual([])
    }
  })

  test.each(['ENOSPC', 'EIO', 'EROFS'])(
    'HIST-05 a file stays as it is when its second name fails with %s',
    async errno => {
      const server = await serve({ env: COUNTABLE })
      const owner = await person(server)
      const { disk, path } = await corner(server)
      await writeFile(join(disk, 'a.txt'), 'one')
      const fault = { calls: 'link,linkat', what: `error=${errno}`, nth: 1 }
      const { hit, result } = await injecting(server.pid, fault, () => save(server, owner, `${path}/a.txt`, 'two'))
      expect(hit).toBe(true)
      expect([403, 503, 507]).toContain(result.status)
      expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('one')
      expect([await textsOf(server, owner, `${path}/a.txt`), await keptIn(server.root)]).toEqual([[], []])
    },
  )
})

describe.runIf(canInject)('a failing call while a file is replaced', () => {
  test.each(['save', 'move'] as const)(
    'HIST-05 a %s for whose former content there is no room is refused, and leaves both files',
    async operation => {
      for (const errno of ['ENOSPC', 'EDQUOT']) {
        const server = await serve({ env: COUNTABLE })
        const owner = await person(server)
        const { disk, path } = await corner(server)
        await writeFile(join(disk, 'a.txt'), 'one')
        await writeFile(join(disk, 'b.txt'), 'two')
        const act = () =>
          operation === 'save'
            ? save(server, owner, `${path}/a.txt`, 'two')
            : moveOver(server, owner, `${path}/b.txt`, `${path}/a.txt`)
        const fault = { calls: 'mkdir', what: `error=${errno}`, nth: '1+' as const }
        const { hit, result } = await injecting(server.pid, fault, act)
        expect([hit, result.status], errno).toEqual([true, 507])
        const contents = ['a.txt', 'b.txt'].map(name => readFile(join(disk, name), 'utf8'))
        expect(await Promise.all(contents)).toEqual(['one', 'two'])
        expect([(await act()).status, await textsOf(server, owner, `${path}/a.txt`)]).toEqual([200, ['one']])
      }
    },
  )

  test.each(['save', 'move', 'restore'] as const)(
    'HIST-05 of a %s leaves the old content or the new one, and both can be read after the new one came',
    async operation => {
      const server = await serve({ env: COUNTABLE })
      const owner = await person(server)
      for (const errno of ERRORS) {
        for (const calls of ['rename', 'fsync', 'mkdir', 'open,openat']) {
          const { disk, path } = await corner(server)
          const file = `${path}/a.txt`
          await writeFile(join(disk, 'a.txt'), 'one')
          if (operation === 'restore') await save(server, owner, file, 'two')
          const before = await textsOf(server, owner, file)
          const [old, made] = operation === 'restore' ? ['two', 'one'] : ['one', 'two']
          const { items } = await pageOf(server, owner, file)
          if (operation === 'move') await writeFile(join(disk, 'b.txt'), 'two')
          const act = () => {
            if (operation === 'save') return save(server, owner, file, 'two')
            if (operation === 'move') return moveOver(server, owner, `${path}/b.txt`, file)
            return restore(server, owner, file, items[0]?.id)
          }
          const { hit, result } = await injecting(server.pid, { calls, what: `error=${errno}`, nth: 1 }, act)
          if (!hit) continue
          const what = `${errno} of ${calls}: ${result.status}`
          const now = await readFile(join(disk, 'a.txt'), 'utf8')
          expect([old, made], what).toContain(now)
          expect([200, 204, 403, 409, 412, 503, 507], what).toContain(result.status)
          if (result.status === 200) expect(now, what).toBe(made)
          const expected = now === made ? [old, ...before] : before
          if (result.headers.get('X-Kept') !== 'no') expect(await textsOf(server, owner, file), what).toEqual(expected)
          if (operation === 'move' && now === old) expect(await readFile(join(disk, 'b.txt'), 'utf8'), what).toBe('two')
        }
      }
    },
    300_000,
  )
})

test('VERS-06 a program that still writes into a replaced file writes into its version, which shows the new time and is restored', async () => {
  const server = await serve()
  const owner = await person(server)
  const { disk, path } = await corner(server)
  const file = join(disk, 'a.txt')
  await writeFile(file, 'one')
  const held = await open(file, 'a')
  onTestFinished(() => held.close())
  await save(server, owner, `${path}/a.txt`, 'two')
  const [before] = (await pageOf(server, owner, `${path}/a.txt`)).items
  await held.utimes(2e9, 2e9)
  await held.appendFile(' and more')
  await held.utimes(2e9, 2e9)
  const [after] = (await pageOf(server, owner, `${path}/a.txt`)).items
  expect([before?.size, after?.size, after?.modified]).toEqual([
    3,
    12,
    new Date(2e12).toISOString().replace('.000', ''),
  ])
  expect((await restore(server, owner, `${path}/a.txt`, after?.id)).status).toBe(200)
  expect(await readFile(file, 'utf8')).toBe('one and more')
  expect(await textsOf(server, owner, `${path}/a.txt`)).toEqual(['two', 'one and more'])
})
