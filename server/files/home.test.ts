import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openMemory } from '../storage/memory.ts'
import { writeFile } from '../storage/write-file.ts'
import { makeHome } from './home.ts'

let storage: StorageDriver
beforeEach(() => {
  storage = openMemory()
})
const kindOf = async (path: string) => (await storage.stat(parsePath(path)))?.kind

describe('a home', () => {
  test('is created with its parents, and may exist already', async () => {
    await makeHome(storage, '/users/ann', { fresh: true })
    expect(await kindOf('/users/ann')).toBe('folder')
    await makeHome(storage, '/users/ann', { fresh: false })
    await makeHome(storage, '/users/ann', { fresh: true })
  })

  test('that must be fresh is refused when it has content', async () => {
    await writeFile(storage, parsePath('/users/ann/letter.txt'), Readable.from(['dear']), {})
    await expect(makeHome(storage, '/users/ann', { fresh: true })).rejects.toMatchObject({ code: 'exists' })
    await makeHome(storage, '/users/ann', { fresh: false })
  })

  test('is not created where that is only tried, and refused all the same', async () => {
    await makeHome(storage, '/users/ann', { fresh: true, tries: true })
    expect(await kindOf('/users')).toBeUndefined()
    await writeFile(storage, parsePath('/users/ann/letter.txt'), Readable.from(['dear']), {})
    const trying = makeHome(storage, '/users/ann', { fresh: true, tries: true })
    await expect(trying).rejects.toMatchObject({ code: 'exists' })
  })

  test('cannot replace a file', async () => {
    await writeFile(storage, parsePath('/ann'), Readable.from(['a file']), {})
    await expect(makeHome(storage, '/ann', { fresh: false })).rejects.toMatchObject({ code: 'exists' })
  })

  test.each(['', '.', '/'])('spelled %j is the root, which exists', async scope => {
    await makeHome(storage, scope, { fresh: true })
  })

  test('with .. is refused', async () => {
    await expect(makeHome(storage, '/../x', { fresh: false })).rejects.toThrow()
  })
})
