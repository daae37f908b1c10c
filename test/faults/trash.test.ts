import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, person } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { mountRoot } from '../api/mounted-instance.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from '../api/people.ts'
import { Dice } from '../fuzz/dice.ts'
import { COUNTABLE, canInject, injecting, watching } from './inject.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'
import { contentsIn, resultsOf, TRASH_OPERATIONS, trashOf, type Visit, type Visitor } from './trash-operations.ts'

/** Calls that change a file system. The runtime itself needs `write`. */
const CALLS = ['rename', 'link', 'unlink', 'mkdir', 'rmdir', 'fsync', 'fdatasync']
/** The call for a free name, which the server makes on its main thread. */
const DIRECT = { calls: 'renameat2', nth: 1, main: true }
/** Calls that nearly every operation makes. */
const COMMON = ['rename', 'fsync', 'fdatasync']
/** Kills per operation; whole: at every call. */
const KILLS = size('TRASH_KILLS', 1)
/** Failing calls per operation and error; whole: every call. */
const FAILURES = size('TRASH_FAILURES', 1)
/** A full disk, another disk, and a disk without links come first: they lead to different ways. */
const ERRORS = ['ENOSPC', 'EXDEV', 'EPERM', 'EIO', 'EDQUOT', 'EROFS', 'EMLINK'].slice(0, size('TRASH_ERRORS', 3))
/** Files of a large tree. */
const FILES = size('TRASH_FILES', 20_000)
/** Milliseconds for tests with such a tree, and for the removal of its files after them. */
const LONG = 3_600_000
/** So many mean: every call. */
const ALL = 40
/** Whether the database is a file of the server's own, whose flushes are seen. */
const isOwnDatabase = process.env.FILIGREE_TEST_DATABASE === undefined

/**
 * The calls that fail: every call of each name up to the first that the operation does not make, or some.
 * @yields and receives whether that call was made
 */
function* failingCalls(
  dice: Dice,
  count: number,
): Generator<{ calls: string; nth: number; main?: boolean }, void, boolean> {
  yield DIRECT
  if (count >= ALL) {
    for (const calls of CALLS) for (let nth = 1; yield { calls, nth }; nth += 1);
    return
  }
  for (let index = 0; index < count; index += 1) yield { calls: dice.pick(COMMON), nth: 1 }
}

/** Starts a server for a large tree, which goes with it. */
async function serveMany(): Promise<OwnServer> {
  const server = await startServer({ args: ['--nameIndex', 'off'] })
  onTestFinished(() => server.stop(), LONG)
  return server
}

async function plantMany(disk: string): Promise<void> {
  for (let folder = 0; folder < FILES / 1000; folder += 1) {
    await mkdir(join(disk, String(folder)), { recursive: true })
    for (let file = 0; file < 1000; file += 1) writeFileSync(join(disk, String(folder), String(file)), '')
  }
}

/** Runs `act`. @returns also how long it took, in milliseconds */
async function timed<T>(act: () => Promise<T>): Promise<{ result: T; ms: string }> {
  const began = performance.now()
  const result = await act()
  return { result, ms: (performance.now() - began).toFixed(1) }
}

const GROUNDS = ['at home', 'in a mount'] as const

/** Starts a server for a visit of the home, or of a mount. @returns also starts it again */
async function beginVisit(ground: (typeof GROUNDS)[number]): Promise<{ visit: Visit; restart(): Promise<void> }> {
  const { disk, ...start } = ground === 'at home' ? { disk: undefined } : await withRoot()
  const server = await startServer({ ...start, env: COUNTABLE })
  const at = disk === undefined ? '' : await mountRoot(server)
  const visit = { server, owner: await person(server), disk: disk ?? server.root, at }
  onTestFinished(() => visit.server.stop())
  return {
    visit,
    async restart() {
      await visit.server.end('SIGKILL')
      visit.server = await startServer({ ...start, home: server.home, env: COUNTABLE })
    },
  }
}

/** Requires that all contents exist, in the tree or the trash, and that all of the trash can be restored. */
async function demandConserved(visit: Visit, before: readonly string[], ends: readonly string[]): Promise<void> {
  const { disk } = visit
  const unrecorded = async () => (await contentsIn(disk)).kept.length - (await trashOf(visit)).count
  await expect.poll(unrecorded).toBe(0)
  const { items } = await trashOf(visit)
  if (items.length > 0) {
    const body = { items: items.map(({ id }) => ({ id })) }
    const results = await resultsOf(visit, '/api/trash/restore', body)
    expect(results.filter(result => result !== 'done')).toEqual([])
  }
  const { tree, area } = await contentsIn(disk)
  expect(area).toEqual([])
  const may = new Set(ends.map(name => (name.includes(' -> ') ? (name.split('/').at(-1) ?? '') : name)))
  const missing = before.filter(content => !tree.includes(content) && !may.has(content))
  expect(missing).toEqual([])
}

/** Requires that no note is left of what was restored. */
async function demandNoNotes(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith('.filigree-')) continue
    const notes = () => readdir(join(root, name, 'trash/info')).catch(() => [])
    await expect.poll(notes).toEqual([])
  }
}

const allIn = async (root: string) => {
  const { tree, area } = await contentsIn(root)
  return [...tree, ...area].sort()
}

describe.runIf(canInject)('the trash', () => {
  test.each(GROUNDS.flatMap(ground => Object.keys(TRASH_OPERATIONS).map(name => ({ name, ground }))))(
    'HIST-02 a server that is killed in the middle of a call loses nothing: $name $ground',
    async ({ name, ground }) => {
      const { visit, restart } = await beginVisit(ground)
      const dice = new Dice(SEED + name.length)
      let kills = 0
      const faults = failingCalls(dice, KILLS)
      for (let next = faults.next(), round = 0; !next.done; round += 1) {
        const operation = await TRASH_OPERATIONS[name]?.(visit, `round${round}`)
        if (!operation) return
        const before = await allIn(visit.disk)
        const fault = { ...next.value, what: 'signal=SIGKILL' }
        await injecting(visit.server.pid, fault, () => operation.act(visit).catch(() => []))
        const hit = !(await call(visit.server, '/health').catch(() => undefined))
        if (hit) {
          kills += 1
          await restart()
        }
        await demandConserved(visit, before, operation.ends)
        await demandNoNotes(visit.disk)
        next = faults.next(hit)
      }
      report(`${name} ${ground}: killed at ${kills} calls`)
    },
    600_000,
  )

  test.each([
    ['without rules', []],
    ['with twenty rules for paths', Array.from({ length: 20 }, (_, index) => ({ path: `/closed/${index}` }))],
  ])(
    `TRASH-03 a tree of ${FILES} files is deleted by one rename, and no folder is read: %s`,
    async (name, rules) => {
      const server = await serveMany()
      await enrol(server, [{ name: 'ann', may: EVERYTHING, rules }])
      const { token } = await person(server, 'ann', PASSWORD)
      const disk = join(server.root, 'big')
      await plantMany(disk)
      const calls = 'rename,renameat,renameat2,getdents64,unlink,unlinkat'
      const address = '/api/resources/big'
      const { lines, result } = await watching(server.pid, calls, () =>
        call(server, address, { method: 'DELETE', token }),
      )
      expect(result.status).toBe(204)
      expect(lines.filter(line => line.includes('rename')).length).toBe(1)
      expect(lines.filter(line => /getdents|unlink/.test(line))).toEqual([])
      const visit: Visitor = { server, owner: { token } }
      const restored = await timed(() =>
        resultsOf(visit, '/api/trash/restore', { items: [{ id: result.headers.get('X-Kept') }] }),
      )
      expect(restored.result).toEqual(['done'])
      expect((await readdir(disk)).length).toBe(FILES / 1000)
      const again = await timed(() => call(server, address, { method: 'DELETE', token }))
      expect(again.result.status).toBe(204)
      report(`a tree of ${FILES} files ${name}: deleted in ${again.ms} ms, restored in ${restored.ms} ms`)
    },
    LONG,
  )

  test.runIf(isOwnDatabase).each([
    ['a file', 'restore'],
    ['a folder', 'restore'],
    ['a file', 'purge'],
    ['a folder', 'purge'],
  ] as const)(
    'HIST-04 of %s, the record of a %s is durable before the rename, and the rename before what follows it',
    async (what, way) => {
      const server = await serve({ env: COUNTABLE })
      const visit: Visitor = { server, owner: await person(server) }
      const top = join(server.root, 'docs')
      await mkdir(what === 'a file' ? top : join(top, 'thing'), { recursive: true })
      writeFileSync(join(top, what === 'a file' ? 'thing' : 'thing/a.txt'), 'content')
      const removed = await call(server, '/api/resources/docs/thing', { method: 'DELETE', token: visit.owner.token })
      const id = removed.headers.get('X-Kept') ?? ''
      const act = () =>
        way === 'restore'
          ? resultsOf(visit, '/api/trash/restore', { items: [{ id }] })
          : resultsOf(visit, '/api/trash/purge', { ids: [id] })
      const calls = 'link,linkat,rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,write,writev'
      const { lines, result } = await watching(server.pid, calls, act, { paths: true })
      expect(result).toEqual(['done'])
      const first = (pattern: RegExp, from = 0) => {
        const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
        expect(found, `${pattern}\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
        return found
      }
      const record = first(/f(?:data)?sync\(\d+<[^>]*\.db-wal>/)
      if (way === 'restore') {
        const renamed = first(what === 'a file' ? /\b(?:link(?:at)?|renameat2)\(/ : /rename(?:at2?)?\(/)
        const goal = first(/fsync\(\d+<[^>]*\/docs>/, renamed)
        const source = first(/fsync\(\d+<[^>]*\/trash\/files>/, goal)
        const note = first(/unlink(?:at)?\(.*trashinfo|unlink(?:at)?\(/, source)
        const ended = first(/f(?:data)?sync\(\d+<[^>]*\.db-wal>/, note)
        expect([record < renamed, first(/HTTP\/1\.1 200/, ended) > ended]).toEqual([true, true])
      } else {
        const renamed = first(/rename(?:at2?)?\(/)
        expect([record < renamed, first(/HTTP\/1\.1 200/, renamed) > renamed]).toEqual([true, true])
        expect(await readdir(server.root)).toContain('docs')
        expect((await trashOf(visit)).count).toBe(0)
      }
    },
  )

  test.runIf(isOwnDatabase)(
    'HIST-04 the record of a deletion is durable before the rename, and the rename before the response, by two flushes of the database',
    async () => {
      const server = await serve({ env: COUNTABLE })
      const { token } = await person(server)
      for (const name of ['first.txt', 'second.txt']) writeFileSync(join(server.root, name), name)
      const remove = (name: string) => call(server, `/api/resources/${name}`, { method: 'DELETE', token })
      // The area is made by the first one.
      await remove('first.txt')
      const calls = 'rename,renameat,renameat2,fsync,fdatasync,write,writev'
      const { lines, result } = await watching(server.pid, calls, () => remove('second.txt'), { paths: true })
      expect(result.status).toBe(204)
      const first = (pattern: RegExp, from: number) => {
        const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
        expect(found, `${pattern}\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
        return found
      }
      const renamed = first(/rename(?:at2?)?\(/, 0)
      expect(first(/f(?:data)?sync\(\d+<[^>]*\.db-wal>/, 0)).toBeLessThan(renamed)
      const kept = first(/fsync\(\d+<[^>]*\/trash\/files>/, renamed)
      const answered = first(/HTTP\/1\.1 204/, renamed)
      expect(answered).toBeGreaterThan(kept)
      const flushes = lines.slice(0, answered).filter(line => /f(?:data)?sync\(\d+<[^>]*\.db-wal>/.test(line))
      expect(flushes).toHaveLength(2)
    },
  )

  test(
    'TRASH-03 with a rule for an expression a tree is read before its one rename, in a job, and other requests are answered at the same time',
    async () => {
      const server = await serveMany()
      await enrol(server, [
        { name: 'ann', may: EVERYTHING, rules: [whole({ regex: true, regexp: { raw: 'secret' } })] },
      ])
      const ann = await person(server, 'ann', PASSWORD)
      const jobs = jobsOf(server, ann)
      await plantMany(join(server.root, 'big'))
      let answered = 0
      let isOver = false
      const others = async () => {
        while (!isOver) if ((await call(server, '/api/resources/', { token: ann.token })).status === 200) answered += 1
      }
      const remove = async () => {
        const answers = others()
        const atBegin = answered
        const ended = await jobs.run({ kind: 'delete', items: [{ from: '/big' }] })
        isOver = true
        await answers
        return { ...ended, answered: answered - atBegin }
      }
      const secret = join(server.root, 'big/0/secret')
      writeFileSync(secret, '')
      const refused = await remove()
      expect(refused.items).toMatchObject([{ state: 'failed', code: 'forbidden' }])
      expect(await readdir(server.root)).toContain('big')
      rmSync(secret)
      isOver = false
      const { lines, result } = await watching(
        server.pid,
        'rename,renameat,renameat2,getdents64,unlink,unlinkat',
        remove,
      )
      expect(result.items).toMatchObject([{ state: 'done', kept: expect.any(String) }])
      expect(lines.filter(line => line.includes('rename'))).toHaveLength(1)
      expect(lines.filter(line => line.includes('getdents')).length).toBeGreaterThan(FILES / 1000)
      expect(lines.filter(line => line.includes('unlink'))).toEqual([])
      expect(result.answered).toBeGreaterThan(1)
      report(`${result.answered} listings were answered while ${FILES} names were read`)
    },
    LONG,
  )

  test.each(GROUNDS)(
    'HIST-05 when any call of an operation fails, nothing is lost and no item is deleted for good: %s',
    async ground => {
      const { visit } = await beginVisit(ground)
      const { server } = visit
      const dice = new Dice(SEED)
      const seen = new Map<string, number>()
      let failures = 0
      for (const [name, prepare] of Object.entries(TRASH_OPERATIONS)) {
        for (const errno of ERRORS) {
          const faults = failingCalls(dice, FAILURES)
          for (let next = faults.next(); !next.done; ) {
            failures += 1
            const operation = await prepare(visit, `${failures}`)
            const before = await allIn(visit.disk)
            const fault = { ...next.value, what: `error=${errno}` }
            const { hit, result } = await injecting(server.pid, fault, () => operation.act(visit))
            for (const answer of hit ? result : []) {
              const key = `${name}, ${errno}: ${answer}`
              seen.set(key, (seen.get(key) ?? 0) + 1)
              expect([500, 'internal'], `${key}, ${fault.calls} ${fault.nth}`).not.toContain(answer)
            }
            await demandConserved(visit, before, operation.ends).catch(thrown => {
              throw new Error(`${name}, ${errno} at ${fault.calls} ${fault.nth}, ${result}`, { cause: thrown })
            })
            next = faults.next(hit)
          }
        }
      }
      report(`${failures} failing calls (seed ${SEED}):`)
      for (const [key, count] of [...seen].sort()) report(`  ${key} × ${count}`)
    },
    LONG,
  )
})
