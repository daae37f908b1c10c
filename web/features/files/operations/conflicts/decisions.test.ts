import { describe, expect, test } from 'vitest'
import type { Conflict } from '../../../../lib/prompts.ts'
import { ALL, type Choosing, decider, openConflicts, optionsOf } from './decisions.ts'

const version = (isDir: boolean) => ({ isDir, size: 1, modified: 0 })
const file = (id: string, inside?: string): Conflict => ({
  id,
  name: id,
  ours: version(false),
  theirs: version(false),
  ...(inside === undefined ? {} : { inside }),
})
const folder = (id: string): Conflict => ({ id, name: id, ours: version(true), theirs: version(true) })
const choosing = (wanted: Partial<Choosing> = {}): Choosing => ({
  mayReplace: true,
  all: undefined,
  single: new Map(),
  ...wanted,
})
const decided = (conflicts: readonly Conflict[], wanted?: Partial<Choosing>) =>
  conflicts.map(decider(conflicts, choosing(wanted)))

describe('what is decided about names that are taken', () => {
  const tree = [folder('tree'), file('tree/a', 'tree'), file('b')]

  test('is that folders merge and both files are kept, until somebody says otherwise', () => {
    expect(decided(tree)).toEqual(['replace', 'keepBoth', 'keepBoth'])
  })

  test('counts for all files at once, whatever folder they are in, and for single ones more', () => {
    expect(decided(tree, { all: 'skip' })).toEqual(['replace', 'skip', 'skip'])
    expect(decided(tree, { all: 'skip', single: new Map([['b', 'replaceOlder']]) })).toEqual([
      'replace',
      'skip',
      'replaceOlder',
    ])
  })

  test('is never that a link to a folder is merged with something, or replaced', () => {
    const link = { ...version(true), isSymlink: true }
    for (const conflict of [
      { ...folder('ours'), ours: link },
      { ...folder('theirs'), theirs: link },
    ]) {
      expect(optionsOf(choosing(), conflict)).toEqual(['keepBoth', 'skip'])
      expect(decided([conflict, file('b')], { all: 'replace' })).toEqual(['keepBoth', 'replace'])
    }
  })

  test('counts for all folders where there is nothing else', () => {
    expect(decided([folder('a'), folder('b')], { all: 'skip' })).toEqual(['skip', 'skip'])
  })

  test('compares files only: folders merge for that', () => {
    expect(decided([folder('a'), folder('b')], { all: 'replaceOlder' })).toEqual(['replace', 'replace'])
    expect(decided([folder('a')], { all: 'skipIdentical', mayReplace: false })).toEqual(['keepBoth'])
  })

  test('never replaces a folder by a file, or anything for somebody who may not', () => {
    const odd: Conflict = { ...file('odd'), theirs: version(true) }
    expect(decided([odd, file('a')], { all: 'replace' })).toEqual(['keepBoth', 'replace'])
    expect(decided(tree, { all: 'replace', mayReplace: false })).toEqual(['keepBoth', 'keepBoth', 'keepBoth'])
    expect(optionsOf(choosing(), file('a'))).toEqual(ALL)
  })

  test('leaves nothing to decide in a folder that is not merged', () => {
    const open = (wanted: Partial<Choosing>) => openConflicts(tree, decider(tree, choosing(wanted))).map(({ id }) => id)
    expect(open({})).toEqual(['tree', 'tree/a', 'b'])
    expect(open({ single: new Map([['tree', 'keepBoth']]) })).toEqual(['tree', 'b'])
  })
})
