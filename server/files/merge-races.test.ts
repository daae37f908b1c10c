import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'

const p = parsePath
const OVER = { override: true, rename: false }
const cluster = openLocalCluster()

let root: string
let storage: StorageDriver
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'merge-'))
  storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
}
const has = (path: string) => readFile(join(root, path), 'utf8').catch(() => undefined)

function filesOn(store: StorageDriver): Promise<Files> {
  const service = createFiles({ storage: store, cluster, globalRules: async () => [] })
  return service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false })
}

const write = (files: Files, path: string, text: string) =>
  files.write(p(path), Readable.from([Buffer.from(text)]), { override: true })

type Happens = (path: string) => Promise<unknown>

/** The same store as if each item were on another disk; something else happens right before it removes anything. */
function beforeRemoval(store: StorageDriver, happens: Happens): StorageDriver {
  return {
    ...store,
    within: async (folder, guard) => beforeRemoval(await store.within(folder, guard), happens),
    move: () => Promise.reject(new AppError('unsupported')),
    async remove(path, how) {
      await happens(path)
      return store.remove(path, how)
    },
  }
}

/** The same store; something else happens right before it renames anything. */
function beforeRename(store: StorageDriver, happens: Happens): StorageDriver {
  return {
    ...store,
    within: async (folder, guard) => beforeRename(await store.within(folder, guard), happens),
    async move(from, to, how) {
      await happens(from)
      return store.move?.(from, to, how)
    },
  }
}

describe('HIST-01 while a folder is merged into another one', () => {
  test('what is written into the emptied folder stays there', async () => {
    await put('x/a.txt', 'a')
    await put('z/b.txt', 'b')
    const other = await filesOn(storage)
    const files = await filesOn(
      beforeRemoval(storage, async path => path === '/x' && (await write(other, '/x/late.txt', 'late'))),
    )
    await files.transfers.move(p('/x'), p('/z'), OVER)
    expect([await has('x/late.txt'), await has('z/a.txt')]).toEqual(['late', 'a'])
  })

  test.each([
    ['copied', beforeRemoval],
    ['renamed', beforeRename],
  ])(
    'what another user writes to a file in it comes before or after its move, not in between: %s',
    async (_how, before) => {
      await put('x/a.txt', 'first')
      await put('z/a.txt', 'other')
      const other = await filesOn(storage)
      let writing: Promise<unknown> | undefined
      let isWritten = false
      const files = await filesOn(
        before(storage, async path => {
          if (path !== '/x/a.txt') return
          writing = write(other, '/x/a.txt', 'second').then(() => (isWritten = true))
          await new Promise(resolve => setTimeout(resolve, 50))
          expect(isWritten).toBe(false)
        }),
      )
      await files.transfers.move(p('/x'), p('/z'), OVER)
      await writing
      expect([await has('x/a.txt'), await has('z/a.txt')]).toEqual(['second', 'first'])
    },
  )

  test('a folder in it that merges into the folder above it takes no lock twice', async () => {
    await put('x/y/y/a.txt', 'inner')
    await put('x/b.txt', 'b')
    await (await filesOn(storage)).transfers.move(p('/x/y'), p('/x'), { ...OVER, signal: AbortSignal.timeout(5000) })
    expect([await has('x/y/a.txt'), await has('x/b.txt')]).toEqual(['inner', 'b'])
  })
})

test('HIST-01 a file that has the path of a moved one before that is removed stays', async () => {
  await put('x/a.txt', 'first')
  await put('z/b.txt', 'other')
  await put('w/a.txt', 'third')
  const swap = async (path: string) => {
    if (path !== '/x/a.txt') return
    await rename(join(root, 'x'), join(root, 'away'))
    await rename(join(root, 'w'), join(root, 'x'))
  }
  const files = await filesOn(beforeRemoval(storage, swap))
  await files.transfers.move(p('/x/a.txt'), p('/z/b.txt'), OVER).catch(() => {})
  expect([await has('x/a.txt'), await has('z/b.txt')]).toEqual(['third', 'first'])
})
