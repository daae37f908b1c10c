import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listed, p, put, refusal, textAt } from '../conformance/place.ts'
import { openLocal } from '../local.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

const run = promisify(execFile)

describe.each(['handles', 'names'] as const)('special files, held by %s', level => {
  let place: DiskPlace
  beforeEach(async () => {
    place = await diskPlace(level)
  })
  afterEach(() => place.close())

  const inside = (name: string) => join(place.folder, 'inside', name)

  async function refusesAll(name: string): Promise<void> {
    const { store } = place
    expect(await store.stat(p(`/${name}`))).toMatchObject({ kind: 'special', isLink: false })
    expect(await listed(store)).toContainEqual(await store.stat(p(`/${name}`)))
    expect(await refusal(store.read(p(`/${name}`)))).toBe('special_file')
    expect(await refusal(put(store, `/${name}`, 'x'))).toBe('special_file')
    expect(await refusal(listed(store, `/${name}`))).toBe('not_a_folder')
    expect(await refusal(store.mkdir(p(`/${name}`)))).toBe('exists')
  }

  test('a FIFO is refused at once, listed as special and can be removed', async () => {
    await run('mkfifo', [inside('pipe')])
    const start = performance.now()
    await refusesAll('pipe')
    await place.plantLink('inside/alias', 'pipe')
    expect(await refusal(place.store.read(p('/alias')))).toBe('special_file')
    expect(await refusal(put(place.store, '/alias', 'x'))).toBe('special_file')
    expect(performance.now() - start).toBeLessThan(15_000)
    await place.store.remove(p('/pipe'))
    expect(await place.names('inside')).toEqual(['alias'])
  })

  test('SPEC-03 a socket is refused and listed as special', async () => {
    const server = createServer().listen(inside('sock'))
    await new Promise(resolve => server.once('listening', resolve))
    await refusesAll('sock')
    await new Promise(resolve => server.close(resolve))
  })

  test('SPEC-03 a device is refused', async () => {
    const devices = await openLocal({ root: '/dev', stagingKey: TEST_KEY, confinement: level })
    expect(await devices.stat(p('/zero'))).toMatchObject({ kind: 'special' })
    expect(await refusal(devices.read(p('/zero')))).toBe('special_file')
    expect(await refusal(put(devices, '/zero', 'x'))).toBe('special_file')
  })

  test('SPEC-05 a file that reports size 0 but has content is read as empty', async () => {
    const facts = await openLocal({ root: '/proc/sys/kernel', stagingKey: TEST_KEY, confinement: level })
    expect(await facts.stat(p('/ostype'))).toMatchObject({ kind: 'file', size: 0 })
    expect(await textAt(facts, '/ostype')).toBe('')
  })

  test('sixty-four readers of FIFOs do not block other operations', async () => {
    const names = Array.from({ length: 64 }, (_, index) => `pipe${index}`)
    await run('mkfifo', names.map(inside))
    await put(place.store, '/a.txt', 'read me')
    const waiting = names.map(name => refusal(place.store.read(p(`/${name}`))))
    const start = performance.now()
    expect(await textAt(place.store, '/a.txt')).toBe('read me')
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['special_file']))
  })

  test('a tree that contains a FIFO is removed', async () => {
    await place.store.mkdir(p('/tree'))
    await run('mkfifo', [inside('tree/pipe')])
    await place.store.remove(p('/tree'))
    expect(await place.names('inside')).toEqual([])
  })
})
