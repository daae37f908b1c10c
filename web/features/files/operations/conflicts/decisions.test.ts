import { describe, expect, test } from 'vitest'
import type { Conflict } from './conflict.ts'
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

describe('decisions on taken names', () => {
  const tree = [folder('tree'), file('tree/a', 'tree'), file('b')]

  test('by default merge folders and keep both files', () => {
    expect(decided(tree)).toEqual(['replace', 'keepBoth', 'keepBoth'])
  })

  test('apply to all files in every folder; a decision on one file takes precedence', () => {
    expect(decided(tree, { all: 'skip' })).toEqual(['replace', 'skip', 'skip'])
    expect(decided(tree, { all: 'skip', single: new Map([['b', 'replaceOlder']]) })).toEqual([
      'replace',
      'skip',
      'replaceOlder',
    ])
  })

  test('never merge or replace a link to a folder', () => {
    const link = { ...version(true), isSymlink: true }
    for (const conflict of [
      { ...folder('ours'), ours: link },
      { ...folder('theirs'), theirs: link },
    ]) {
      expect(optionsOf(choosing(), conflict)).toEqual(['keepBoth', 'skip'])
      expect(decided([conflict, file('b')], { all: 'replace' })).toEqual(['keepBoth', 'replace'])
    }
  })

  test('apply to all folders where there are no files', () => {
    expect(decided([folder('a'), folder('b')], { all: 'skip' })).toEqual(['skip', 'skip'])
  })

  test('compare files only, and merge folders for that', () => {
    expect(decided([folder('a'), folder('b')], { all: 'replaceOlder' })).toEqual(['replace', 'replace'])
    expect(decided([folder('a')], { all: 'skipIdentical', mayReplace: false })).toEqual(['keepBoth'])
  })

  test('never replace a folder by a file, or anything without the permission', () => {
    const odd: Conflict = { ...file('odd'), theirs: version(true) }
    expect(decided([odd, file('a')], { all: 'replace' })).toEqual(['keepBoth', 'replace'])
    expect(decided(tree, { all: 'replace', mayReplace: false })).toEqual(['keepBoth', 'keepBoth', 'keepBoth'])
    expect(optionsOf(choosing(), file('a'))).toEqual(ALL)
  })

  test('leave no conflicts in a folder that is not merged', () => {
    const open = (wanted: Partial<Choosing>) => openConflicts(tree, decider(tree, choosing(wanted))).map(({ id }) => id)
    expect(open({})).toEqual(['tree', 'tree/a', 'b'])
    expect(open({ single: new Map([['tree', 'keepBoth']]) })).toEqual(['tree', 'b'])
  })
})
