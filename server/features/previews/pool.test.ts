import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { placeOf } from './file-from-descriptor.ts'
import { type PoolOptions, RenderPool } from './pool.ts'
import type { RenderJob } from './render-process.ts'
import { halves, inspect } from './test-pictures.ts'
import { THUMB } from './test-sources.ts'
import { workersOf } from './test-workers.ts'

const small = await halves(300, 200).png().toBuffer()

function openPool(options: Partial<PoolOptions> = {}): RenderPool {
  const pool = new RenderPool({ processors: 1, ...options })
  onTestFinished(() => pool.close())
  return pool
}

const job = (bytes: Buffer, source: RenderJob['source'] = () => Readable.from([bytes])): RenderJob => ({
  renderer: 'image',
  ...THUMB,
  length: bytes.length,
  source,
})

async function expectToWork(pool: RenderPool): Promise<void> {
  const answer = await pool.render(job(small))
  expect(answer.kind === 'picture' && (await inspect(answer.bytes)).width).toBe(256)
}

const UNDECODABLE = { kind: 'refused', code: 'undecodable' }

const children = () => workersOf(process.pid)

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
  )

describe('the preview processes', () => {
  test('work one after the other', async () => {
    const pool = openPool()
    await expectToWork(pool)
    await expectToWork(pool)
    expect(children()).toHaveLength(1)
  })

  test('are no more than configured, and end when the pool is closed', async () => {
    const pool = openPool({ processors: 2 })
    const all = Array.from({ length: 8 }, () => pool.render(job(small)))
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'picture'))
    expect(children()).toHaveLength(2)
    void pool.close()
    await until(() => children().length === 0)
  })

  test('end when idle, and are started again', async () => {
    const pool = openPool({ idle: 1 })
    await expectToWork(pool)
    await until(() => children().length === 0)
    await expectToWork(pool)
  })

  test('IMG-02 refuse what is not an image, and continue', async () => {
    const pool = openPool()
    expect(await pool.render(job(Buffer.from('no picture')))).toEqual(UNDECODABLE)
    expect(await pool.render(job(Buffer.alloc(0)))).toEqual(UNDECODABLE)
    await expectToWork(pool)
    expect(children()).toHaveLength(1)
  })

  test('are replaced when they are killed while starting, working or idle', async () => {
    const pool = openPool()
    const starting = pool.render(job(small))
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    expect((await starting).kind).toBe('picture')
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const slow = () =>
      Readable.from(
        (async function* () {
          begun.resolve()
          yield small.subarray(0, 9)
          await held.promise
          yield small.subarray(9)
        })(),
      )
    const running = pool.render(job(small, slow))
    await begun.promise
    for (const pid of children()) process.kill(pid, 'SIGSEGV')
    held.resolve()
    expect((await running).kind).toBe('picture')
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    await expectToWork(pool)
  })

  test('do not inherit the environment', async () => {
    const pool = openPool()
    await expectToWork(pool)
    const [pid] = children()
    const seen = execFileSync('cat', [`/proc/${pid}/environ`])
      .toString()
      .split('\0')
      .filter(Boolean)
    const allowed = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE']
    expect(seen.filter(line => !allowed.includes(line.split('=')[0] ?? ''))).toEqual([])
  })
})

describe('an image', () => {
  test('whose bytes do not arrive is not to blame, and the next one is made', async () => {
    const pool = openPool({ time: 3000 })
    const never = () => new Readable({ read() {} })
    expect(await codeOf(pool.render(job(small, never)))).toBe('unavailable')
    await expectToWork(pool)
  })

  test('is not to blame when its process is killed from outside, repeatedly', async () => {
    const pool = openPool()
    const killing = () => {
      for (const pid of children()) process.kill(pid, 'SIGKILL')
      return Readable.from([small])
    }
    expect(await codeOf(pool.render(job(small, killing)))).toBe('unavailable')
    const crashing = () => {
      for (const pid of children()) process.kill(pid, 'SIGSEGV')
      return Readable.from([small])
    }
    expect(await pool.render(job(small, crashing))).toEqual(UNDECODABLE)
    await expectToWork(pool)
  })

  test('IMG-01 is limited in memory', async () => {
    const hungry = Buffer.concat([small, Buffer.alloc(100 * 1024 ** 2)])
    expect((await openPool().render(job(hungry))).kind).toBe('picture')
    const pool = openPool({ memory: 160 * 1024 ** 2 })
    expect(await pool.render(job(hungry))).toEqual(UNDECODABLE)
    await expectToWork(pool)
  })

  test('that cannot be read to its end gives the reason, and the next one is made', async () => {
    const pool = openPool()
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new AppError('unavailable', 'it became shorter'))
        },
      })
    await expect(pool.render(job(small, broken))).rejects.toThrow('it became shorter')
    await expectToWork(pool)
  })
})

describe('an open file', () => {
  async function opened(bytes: Buffer): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'filigree-own-'))
    const file = await open(join(folder, 'picture'), 'w+')
    await file.write(bytes)
    onTestFinished(async () => {
      await file.close()
      await rm(folder, { recursive: true })
    })
    return placeOf(file.fd)
  }
  const never = () => {
    throw new AppError('unavailable', 'no read expected')
  }

  test('is read by the process itself, repeatedly', async () => {
    const pool = openPool()
    const file = await opened(small)
    for (let round = 0; round < 3; round++)
      expect((await pool.render({ ...job(small, never), file })).kind).toBe('picture')
  })

  test('that the process cannot open, or that became shorter, is requested', async () => {
    const pool = openPool()
    for (const file of ['/nowhere', await opened(small.subarray(0, 9))])
      expect((await pool.render({ ...job(small), file })).kind).toBe('picture')
    const file = await opened(Buffer.alloc(0))
    await expect(pool.render({ ...job(small, never), file })).rejects.toThrow('no read expected')
    await expectToWork(pool)
  })
})

describe('queued requests', () => {
  test('are limited in number', async () => {
    const pool = openPool({ waiting: 2 })
    const accepted = Array.from({ length: 3 }, () => codeOf(pool.render(job(small))))
    expect(await codeOf(pool.render(job(small)))).toBe('unavailable')
    expect(await Promise.all(accepted)).toEqual(['done', 'done', 'done'])
  })

  test('IMG-05 can be aborted, and their image is not even opened', async () => {
    const pool = openPool({ waiting: 1 })
    const first = pool.render(job(small))
    let opened = 0
    const source = () => {
      opened++
      return Readable.from([small])
    }
    const gone = new AbortController()
    const given = codeOf(pool.render(job(small, source), gone.signal))
    gone.abort(new AppError('incomplete_body'))
    expect(await given).toBe('incomplete_body')
    const next = pool.render(job(small))
    expect([(await first).kind, (await next).kind, opened]).toEqual(['picture', 'picture', 0])
  })
})
