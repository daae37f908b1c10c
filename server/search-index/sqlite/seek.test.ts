import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEARCH_FOLDERS, seekSuite } from '../test-seek.ts'
import { SqliteStore } from './store.ts'

describe('a search in the index of names', () => {
  let folder: string
  let store: SqliteStore
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'seek-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  seekSuite(async () => {
    store = SqliteStore.open(join(folder, 'names'), '/root')
    return store
  })

  test('an error during a batch of reads is thrown, even if the database has ended the transaction', () => {
    const read = () => {
      store.commit()
      throw new Error('the read failed')
    }
    expect(() => store.reading(read)).toThrow('the read failed')
    expect(store.reading(() => store.countFolders())).toBe(SEARCH_FOLDERS)
  })
})
