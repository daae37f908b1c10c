import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NamesFile } from './sqlite-store.ts'
import { SOUGHT_FOLDERS, seekSuite } from './test-query.ts'

describe('a search in the index of names', () => {
  let ground: string
  let names: NamesFile
  beforeAll(() => {
    ground = mkdtempSync(join(tmpdir(), 'seek-'))
  })
  afterAll(() => rmSync(ground, { recursive: true }))

  seekSuite(async () => {
    names = NamesFile.open(join(ground, 'names'), '/root')
    return names
  })

  test('what goes wrong while many things are looked at is told, even if the database has let go of them', () => {
    const look = () => {
      names.commit()
      throw new Error('the look failed')
    }
    expect(() => names.reading(look)).toThrow('the look failed')
    expect(names.reading(() => names.countFolders())).toBe(SOUGHT_FOLDERS)
  })
})
