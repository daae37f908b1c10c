import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { PublishOptions } from '../driver.ts'
import type { AppendOptions } from '../write-file.ts'
import { add, begin, namesIn, openBody, p, publish, put, refusal, type TestPlace, textAt, until } from './place.ts'

/** Staged files of a store, with the sizes reported as safe. */
function staging(place: () => TestPlace) {
  const { store } = place()
  const kept: number[] = []
  return {
    area: {
      open: (path: FilePath) => begin(store, path),
      publish: (staged: string, path: FilePath, how: PublishOptions) => publish(store, staged, path, how),
      discard: (staged: string) => store.resumable.discard(staged),
    },
    kept,
    add: (staged: string, at: number, content: string | Readable, how?: Partial<AppendOptions>) =>
      add(store, staged, at, content, { ...how, kept }),
  }
}

/** Files that arrive in parts. */
export function stagingSuite(place: () => TestPlace): void {
  test('parts become a file on publishing, and are invisible before', async () => {
    const { area, add, kept } = staging(place)
    const staged = await area.open(p('/new/folder/a.txt'))
    await add(staged, 0, 'one ')
    await add(staged, 4, 'two')
    expect(await namesIn(place().store)).toEqual([])
    expect(await place().store.stat(p('/new/folder/a.txt'))).toBeUndefined()
    const entry = await area.publish(staged, p('/new/folder/a.txt'), { length: 7, ifAbsent: true })
    expect(entry).toMatchObject({ path: '/new/folder/a.txt', size: 7, kind: 'file' })
    expect(await textAt(place().store, '/new/folder/a.txt')).toBe('one two')
    expect(await place().names('inside')).toEqual(['new'])
    expect(kept.at(-1)).toBe(7)
  })

  test('a store that knows which folders it made for a file names the highest of them', async () => {
    const { store } = place()
    const madeFor = async (path: string) => {
      const staged = await store.stage(p(path))
      try {
        return (await staged.publish(p(path), {})).madeFolder
      } finally {
        await staged.close()
      }
    }
    expect([undefined, '/new']).toContain(await madeFor('/new/folder/a.txt'))
    expect([undefined, 'none']).toContain(await madeFor('/new/folder/b.txt'))
    expect([undefined, '/new/other']).toContain(await madeFor('/new/other/c.txt'))
  })

  test('bytes behind the offset of a part are discarded', async () => {
    const { area, add } = staging(place)
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'one wrong')
    await add(staged, 4, 'two')
    await area.publish(staged, p('/a.txt'), { length: 7 })
    expect(await textAt(place().store, '/a.txt')).toBe('one two')
  })

  test('a body that breaks off leaves the bytes that arrived', async () => {
    const { area, add, kept } = staging(place)
    const staged = await area.open(p('/a.txt'))
    const sending = openBody()
    sending.push('half')
    const running = refusal(add(staged, 0, sending, { length: 8 }))
    await until(async () => sending.readableLength === 0)
    sending.destroy()
    expect(await running).toBe('incomplete_body')
    expect(kept.at(-1)).toBe(4)
    await add(staged, 4, 'rest')
    await area.publish(staged, p('/a.txt'), { length: 8 })
    expect(await textAt(place().store, '/a.txt')).toBe('halfrest')
  })

  test('a body that is too large leaves nothing', async () => {
    const { area, add, kept } = staging(place)
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'one')
    expect(await refusal(add(staged, 3, 'four', { most: 3 }))).toBe('body_too_large')
    expect(kept.at(-1)).toBe(3)
    await area.publish(staged, p('/a.txt'), { length: 3 })
    expect(await textAt(place().store, '/a.txt')).toBe('one')
  })

  test('a body that the check refuses leaves nothing', async () => {
    const { area, add, kept } = staging(place)
    const staged = await area.open(p('/a.txt'))
    const seen: string[] = []
    const check = {
      piece: (bytes: Buffer) => void seen.push(bytes.toString()),
      end: () => {
        throw new AppError('bad_request')
      },
    }
    expect(await refusal(add(staged, 0, 'flipped', { check }))).toBe('bad_request')
    expect(seen.join('')).toBe('flipped')
    expect(kept.at(-1)).toBe(0)
    expect(await refusal(area.publish(staged, p('/a.txt'), { length: 7 }))).toBe('incomplete_body')
  })

  test('a body that breaks off or is refused leaves the bytes that its check confirmed', async () => {
    const { area, add, kept } = staging(place)
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'one ')
    const checkOf = (refused: boolean) => {
      let good = 0
      return {
        piece(bytes: Buffer) {
          good = Math.floor(bytes.length / 4) * 4
          if (refused) throw new AppError('checksum_mismatch')
        },
        end: () => {},
        good: () => good,
      }
    }
    expect(await refusal(add(staged, 4, 'two thre', { length: 20, check: checkOf(false) }))).toBe('incomplete_body')
    expect(kept.at(-1)).toBe(12)
    expect(await refusal(add(staged, 8, 'threeflipped', { check: checkOf(true) }))).toBe('checksum_mismatch')
    expect(kept.at(-1)).toBe(20)
    await add(staged, 12, '!')
    await area.publish(staged, p('/a.txt'), { length: 13 })
    expect(await textAt(place().store, '/a.txt')).toBe('one two thre!')
  })

  test('a file that cannot be published stays staged', async () => {
    const { area, add } = staging(place)
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'new')
    await put(place().store, '/a.txt', 'old')
    expect(await refusal(area.publish(staged, p('/a.txt'), { length: 3, ifAbsent: true }))).toBe('exists')
    expect(await refusal(area.publish(staged, p('/a.txt'), { length: 3, ifMatch: 'other' }))).toBe(
      'precondition_failed',
    )
    expect(await textAt(place().store, '/a.txt')).toBe('old')
    await area.publish(staged, p('/b.txt'), { length: 3, ifAbsent: true })
    expect(await textAt(place().store, '/b.txt')).toBe('new')
  })

  test('a published file replaces another one, and keeps its permission bits', async () => {
    const { area, add } = staging(place)
    const { mode } = await put(place().store, '/a.txt', 'old')
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'new')
    expect((await area.publish(staged, p('/a.txt'), { length: 3 })).mode).toBe(mode)
    expect(await textAt(place().store, '/a.txt')).toBe('new')
  })

  test('a discarded file is removed, and no other', async () => {
    const { area, add } = staging(place)
    await put(place().store, '/a.txt', 'old')
    const staged = await area.open(p('/a.txt'))
    await add(staged, 0, 'new')
    await area.discard(staged)
    await area.discard(staged)
    expect(await place().names('inside')).toEqual(['a.txt'])
    expect(await refusal(add(staged, 0, 'x'))).toBe('not_found')
    expect(await refusal(area.publish(staged, p('/a.txt'), { length: 3 }))).toBe('not_found')
  })

  test('UPL-12 NAME-09 no file of a user is mistaken for a staged one', async () => {
    const { area, add } = staging(place)
    await put(place().store, '/a.txt', 'old')
    expect(await refusal(add('/a.txt', 0, 'x'))).toBe('not_found')
    await area.discard('/a.txt')
    expect(await textAt(place().store, '/a.txt')).toBe('old')
  })

  test('a path that is forbidden, a folder or below a file cannot be staged', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    const guarded = await store.within(p('/docs'), path => path !== '/no.txt')
    expect(await refusal(begin(guarded, p('/no.txt')))).toBe('forbidden')
    expect(await refusal(begin(store, p('/docs')))).toBe('is_a_folder')
    expect(await refusal(begin(store, p('/docs/a.txt/b')))).toBe('not_a_folder')
    expect(await place().names('inside/docs')).toEqual(['a.txt'])
  })
}

/** Links do not redirect staged files. */
export function linkStagingSuite(place: () => TestPlace): void {
  test('LINK-04 a link that took the folder’s place leads nowhere', async () => {
    const { store, plantLink, names } = place()
    await store.mkdir(p('/docs'))
    const { area, add } = staging(place)
    const staged = await area.open(p('/docs/a.txt'))
    await store.remove(p('/docs'))
    await plantLink('inside/docs', '../outside')
    expect(await refusal(area.publish(staged, p('/docs/a.txt'), { length: 0 }))).not.toBe('done')
    await area.discard(staged)
    expect(await names('outside')).toEqual([])
    expect(await refusal(add(staged, 0, 'x'))).not.toBe('done')
  })
}
