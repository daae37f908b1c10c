import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import { fill, writeFile } from '../write-file.ts'
import { body, namesIn, openBody, p, put, refusal, type TestPlace, textAt, until } from './place.ts'

/** Failing writes: how each is started, and its error code. */
const FAILURES: readonly [string, string, (store: TestPlace['store'], path: string) => Promise<unknown>][] = [
  ['a body shorter than announced', 'incomplete_body', (store, path) => put(store, path, 'short', { length: 10 })],
  ['a body longer than announced', 'body_too_large', (store, path) => put(store, path, 'much longer', { length: 3 })],
  ['an abort half-way', 'incomplete_body', abortedWrite],
  ['an abort before the start', 'incomplete_body', lateWrite],
  ['a body that fails', 'incomplete_body', (store, path) => brokenWrite(store, path, new Error('reset'))],
  ['a body that is refused', 'no_space', (store, path) => brokenWrite(store, path, new AppError('no_space'))],
  ['a body that is closed early', 'incomplete_body', (store, path) => brokenWrite(store, path, undefined)],
  ['an outdated condition', 'precondition_failed', (store, path) => put(store, path, 'x', { ifMatch: 'another' })],
]

/** Writes are all or nothing. */
export function writingSuite(place: () => TestPlace): void {
  describe.each(FAILURES)('%s', (_, code, attempt) => {
    test('leaves nothing behind', async () => {
      const { store } = place()
      await store.mkdir(p('/docs'))
      expect(await refusal(attempt(store, '/docs/a.txt'))).toBe(code)
      expect(await place().names('inside/docs')).toEqual([])
    })

    test('leaves the old content as it was', async () => {
      const { store } = place()
      const before = await put(store, '/docs/a.txt', 'old')
      expect(await refusal(attempt(store, '/docs/a.txt'))).toBe(code)
      expect(await store.stat(p('/docs/a.txt'))).toEqual(before)
      expect(await textAt(store, '/docs/a.txt')).toBe('old')
      expect(await place().names('inside/docs')).toEqual(['a.txt'])
    })

    test('removes the folders it made, and no others', async () => {
      const { store } = place()
      await store.mkdir(p('/kept'))
      expect(await refusal(attempt(store, '/kept/one/two/a.txt'))).toBe(code)
      expect(await namesIn(store)).toEqual(['kept'])
      expect(await place().names('inside/kept')).toEqual([])
    })
  })

  test('the first excess byte ends a write at once, while the sender continues', async () => {
    const sending = openBody()
    sending.push('12345678901')
    expect(await refusal(writeFile(place().store, p('/a.txt'), sending, { length: 10 }))).toBe('body_too_large')
    expect(sending.destroyed).toBe(false)
    sending.push('the rest can still be drained')
    sending.push(null)
    await new Promise(resolve => sending.on('end', resolve).resume())
  })

  test('until a write is finished every reader sees the old state', async () => {
    const { store } = place()
    const before = await put(store, '/a.txt', 'old')
    const sending = openBody()
    const other = openBody()
    const running = writeFile(store, p('/a.txt'), sending, {})
    const fresh = writeFile(store, p('/new.txt'), other, {})
    sending.push('new content')
    other.push('new content')
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(await namesIn(store)).toEqual(['a.txt'])
    expect(await store.stat(p('/a.txt'))).toEqual(before)
    expect(await store.stat(p('/new.txt'))).toBeUndefined()
    expect(await textAt(store, '/a.txt')).toBe('old')
    sending.push(null)
    other.push(null)
    await Promise.all([running, fresh])
    expect(await namesIn(store)).toEqual(['a.txt', 'new.txt'])
    expect(await textAt(store, '/a.txt')).toBe('new content')
  })

  test('RACE-03 RACE-04 a reader keeps the file it opened while it is replaced', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    const file = await store.read(p('/a.txt'))
    await put(store, '/a.txt', 'new content')
    expect(await text(file.stream())).toBe('old')
    await file.close()
  })

  test('MOVE-07 of twenty concurrent writers with ifAbsent exactly one wins', async () => {
    const { store } = place()
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refusal(put(store, '/new/a.txt', `writer ${index}`, { ifAbsent: true })),
      ),
    )
    expect(ends.filter(end => end === 'exists')).toHaveLength(19)
    expect(await textAt(store, '/new/a.txt')).toBe(`writer ${ends.indexOf('done')}`)
    expect(await place().names('inside/new')).toEqual(['a.txt'])
  })

  test('a name taken while the body arrives is not overwritten', async () => {
    const { store } = place()
    const sending = openBody()
    const running = refusal(writeFile(store, p('/a.txt'), sending, { ifAbsent: true }))
    sending.push('late')
    await put(store, '/a.txt', 'first')
    sending.push(null)
    expect(await running).toBe('exists')
    expect(await textAt(store, '/a.txt')).toBe('first')
  })

  test('a version taken while the body arrives is not overwritten', async () => {
    const { store } = place()
    const { version } = await put(store, '/a.txt', 'one')
    const sending = openBody()
    const running = refusal(writeFile(store, p('/a.txt'), sending, { ifMatch: version }))
    sending.push('three')
    await put(store, '/a.txt', 'two')
    sending.push(null)
    expect(await running).toBe('precondition_failed')
    expect(await textAt(store, '/a.txt')).toBe('two')
  })

  test('a matching version is replaced', async () => {
    const { version } = await put(place().store, '/a.txt', 'one')
    await put(place().store, '/a.txt', 'two', { ifMatch: version })
    expect(await textAt(place().store, '/a.txt')).toBe('two')
  })

  test('the condition * replaces an existing file, and makes no new one', async () => {
    expect(await refusal(put(place().store, '/a.txt', 'one', { ifMatch: '*' }))).toBe('precondition_failed')
    await put(place().store, '/a.txt', 'one')
    await put(place().store, '/a.txt', 'two', { ifMatch: '*' })
    expect(await textAt(place().store, '/a.txt')).toBe('two')
  })

  test('every overwrite changes the version, also with the same size', async () => {
    const versions = new Set<string>()
    for (const content of ['aaa', 'bbb', 'ccc', 'ddd', 'ccc']) {
      versions.add((await put(place().store, '/a.txt', content)).version)
    }
    expect(versions.size).toBe(5)
  })

  test('an overwrite keeps the permission bits', async () => {
    const { mode } = await put(place().store, '/a.txt', 'one')
    expect((await put(place().store, '/a.txt', 'two')).mode).toBe(mode)
  })

  test('missing parents are made', async () => {
    await put(place().store, '/one/two/three/a.txt', 'deep')
    expect(await textAt(place().store, '/one/two/three/a.txt')).toBe('deep')
  })

  test('twenty files written into a missing folder all arrive', async () => {
    const { store } = place()
    const sending = Array.from({ length: 20 }, (_, index) => put(store, `/new/folder/${index}`, 'x'))
    await Promise.all(sending)
    expect(await namesIn(store, '/new/folder')).toHaveLength(20)
  })

  test('a folder is not replaced by a file', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    expect(await refusal(put(store, '/docs', 'x'))).toBe('is_a_folder')
    expect(await refusal(put(store, '/', 'x'))).toBe('is_a_folder')
    expect(await namesIn(store, '/docs')).toEqual(['a.txt'])
  })

  test('nothing is written below a file', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    expect(await refusal(put(store, '/a.txt/b', 'x'))).toBe('not_a_folder')
    expect(await refusal(put(store, '/a.txt/b/c', 'x'))).toBe('not_a_folder')
    expect(await textAt(store, '/a.txt')).toBe('a')
  })

  test('the caller can make publishing exclusive', async () => {
    const { store } = place()
    const staged = await store.stage(p('/a.txt'))
    await fill(staged, body('x'), {})
    expect(await store.stat(p('/a.txt'))).toBeUndefined()
    await staged.publish(p('/a.txt'), {})
    expect((await store.stat(p('/a.txt')))?.kind).toBe('file')
    await staged.close()
  })

  test('a caller that decides against publishing leaves nothing behind', async () => {
    const staged = await place().store.stage(p('/a.txt'))
    await fill(staged, body('x'), {})
    await staged.close()
    expect(await place().names('inside')).toEqual([])
  })
}

async function abortedWrite(store: TestPlace['store'], path: string): Promise<unknown> {
  const sending = openBody()
  const { signal, abort } = abortable()
  sending.push('half of it')
  const running = writeFile(store, p(path), sending, { signal })
  await until(async () => sending.readableLength === 0)
  abort()
  return running
}

function lateWrite(store: TestPlace['store'], path: string): Promise<unknown> {
  return writeFile(store, p(path), body('too late'), { signal: AbortSignal.abort() })
}

function brokenWrite(store: TestPlace['store'], path: string, error: Error | undefined): Promise<unknown> {
  const sending = openBody()
  sending.push('half of it')
  setTimeout(() => sending.destroy(error), 20)
  return writeFile(store, p(path), sending, {})
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
