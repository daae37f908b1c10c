import { describe, expect, test } from 'vitest'
import type { Change } from '../../../../shared/api/changes.ts'
import { withChange, withFirstPage, withOlder } from './merge.ts'

const changes = (...ids: string[]) => ids.map(id => ({ id, state: 'done' }) as Change)
const idsOf = ({ items }: { items: readonly Change[] }) => items.map(({ id }) => id)

describe('a first page that is loaded again', () => {
  test('keeps the older pages below it', () => {
    const known = { items: changes('5', '4', '3', '2'), more: true }
    const list = withFirstPage(known, { items: changes('6', '5', '4'), more: true })
    expect(idsOf(list)).toEqual(['6', '5', '4', '3', '2'])
    expect(list.more).toBe(true)
  })

  test('replaces a list that it no longer touches', () => {
    const known = { items: changes('3', '2'), more: false }
    expect(idsOf(withFirstPage(known, { items: changes('9', '8'), more: true }))).toEqual(['9', '8'])
  })

  test('is the whole list when nothing older is left', () => {
    const known = { items: changes('3', '2', '1'), more: true }
    const list = withFirstPage(known, { items: changes('3', '2'), more: false })
    expect(idsOf(list)).toEqual(['3', '2'])
    expect(list.more).toBe(false)
  })
})

test('a further page is added once', () => {
  const list = withOlder({ items: changes('3', '2'), more: true }, { items: changes('2', '1'), more: false })
  expect(idsOf(list)).toEqual(['3', '2', '1'])
  expect(list.more).toBe(false)
})

test('one change takes its present state', () => {
  const undone = { id: '2', state: 'undone' } as Change
  expect(withChange({ items: changes('3', '2'), more: false }, undone).items[1]).toBe(undone)
})
