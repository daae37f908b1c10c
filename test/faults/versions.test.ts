import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { json, person } from '../api/client.ts'
import { corner, serve } from '../api/instance.ts'
import { COUNTABLE, canInject, injecting, watching } from './inject.ts'
import { moveOver, pageOf, REPLACEMENTS, restore, save, textsOf, undo } from './replacements.ts'

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
      expect(await pageOf(server, owner, `${path}/${errno}%20large`)).toMatchObject({ items: [], next: 'unsure' })
    }
  })

  test('JRNL-02 an undo leaves a content that could not be kept as it is', async () => {
    const server = await serve({ env: COUNTABLE, args: ['--versionCopyBytes=10'] })
    const owner = await person(server)
    const { disk, path } = await corner(server)
    const file = join(disk, 'a.txt')
    await writeFile(file, 'small')
    const fault = { calls: 'link,linkat', what: 'error=EPERM', nth: '1+' as const }
    const large = 'larger than ten bytes'
    const saved = await injecting(server.pid, fault, () => save(server, owner, `${path}/a.txt`, large))
    expect(await textsOf(server, owner, `${path}/a.txt`)).toEqual(['small'])
    const change = saved.result.headers.get('X-Change')
    const undone = await injecting(server.pid, fault, () => undo(server, owner, change))
    expect(json(undone.result).results).toMatchObject([{ state: 'failed', code: 'no_trash' }])
    expect(await readFile(file, 'utf8')).toBe(large)
    expect(json(await undo(server, owner, change)).results).toMatchObject([{ state: 'done' }])
    expect(await readFile(file, 'utf8')).toBe('small')
    expect(await textsOf(server, owner, `${path}/a.txt`)).toContain(large)
  })

  test.each(['EACCES', 'EPERM', 'EROFS'])(
    'VERS-04 where the disk refuses the folder for former contents (%s), a file is replaced in every way, and the response says that nothing was kept',
    async errno => {
      const server = await serve({ env: COUNTABLE })
      const owner = await person(server)
      for (const way of [
        'save',
        'upload by POST',
        'resumable upload',
        'copy',
        'move',
        'job that copies',
        'job that moves',
      ]) {
        const { disk, path } = await corner(server)
        await writeFile(join(disk, 'a.txt'), 'one')
        const replacement = await REPLACEMENTS[way]?.(server, owner, { disk, path })
        const fault = { calls: 'mkdir,mkdirat', what: `error=${errno}`, nth: '1+' as const }
        const { hit, result } = await injecting(server.pid, fault, async () => replacement?.act(server, owner))
        const kept = result && 'headers' in result ? result.headers.get('X-Kept') : result?.items?.[0]?.kept
        expect([way, hit, kept]).toEqual([way, true, 'no'])
        expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('two')
        expect(await textsOf(server, owner, `${path}/a.txt`)).toEqual([])
      }
    },
  )

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
