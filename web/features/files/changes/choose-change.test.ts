import { describe, expect, test } from 'vitest'
import type { Change, Verdict } from '../../../../shared/api/changes.ts'
import { hopelessReason, isUnderWay, leftOf, needsQuestion, nextToRedo, nextToUndo } from './choose-change.ts'
import { bodyOf, defaultChoice, obstacleGroups } from './decisions.ts'

const change = (id: string, how: Partial<Change> = {}) =>
  ({ id, kind: 'move', state: 'done', count: 1, time: '2026-01-01T12:00:00Z', undo: { can: true }, ...how }) as Change
const undone = (id: string, by: string) => change(id, { state: 'undone', undoneBy: by, undo: { can: false } })
const undoOf = (id: string, of: string) => change(id, { kind: 'undo', undoes: of })
const redoOf = (id: string, of: string) => change(id, { kind: 'undo', undoes: of, undo: { can: false } })
const doneAgain = (id: string, by: string) => change(id, { kind: 'undo', undoneBy: by, undo: { can: false } })

const verdict = (position: number, how: Partial<Verdict> = {}): Verdict => ({
  position,
  kind: 'move',
  path: `/to/${position}`,
  isDir: false,
  can: !how.why,
  offers: [],
  ...how,
})

describe('what the keys undo and do again', () => {
  test('the newest change comes first; undos are not undone', () => {
    expect(nextToUndo([undoOf('3', '2'), undone('2', '3'), change('1')])?.id).toBe('1')
  })

  test('an older change is left alone while a newer one is under way', () => {
    expect(nextToUndo([change('2', { state: 'open' }), change('1')])?.id).toBe('2')
  })

  test('an undo waits for the end of the change, of its job, and of a newer job', () => {
    const job = { id: 'j', created: '2026-01-01T11:00:00Z' }
    const newer = { id: 'k', created: '2026-01-01T13:00:00Z' }
    expect(isUnderWay(change('1', { state: 'open' }), [])).toBe(true)
    expect([isUnderWay(change('1', { job: 'j' }), [job]), isUnderWay(change('1', { job: 'j' }), [])]).toEqual([
      true,
      false,
    ])
    expect([isUnderWay(change('1'), [job]), isUnderWay(change('1'), [newer])]).toEqual([false, true])
    expect([isUnderWay(undefined, [job]), isUnderWay(undefined, [])]).toEqual([true, false])
  })

  test('what was undone last is done again first', () => {
    expect(nextToRedo([undoOf('4', '1'), undoOf('3', '2'), undone('2', '3'), undone('1', '4')])?.id).toBe('4')
  })

  test('after that, what was undone before follows', () => {
    const changes = [redoOf('5', '4'), doneAgain('4', '5'), undoOf('3', '2'), undone('2', '3'), change('1')]
    expect(nextToRedo(changes)?.id).toBe('3')
  })

  test('another change ends it', () => {
    expect(nextToRedo([change('4'), undoOf('3', '2'), undone('2', '3')])).toBeUndefined()
  })
})

describe('an undo asks first', () => {
  const soon = Date.parse('2026-01-01T12:05:00Z')
  const late = Date.parse('2026-01-01T12:15:00Z')

  test('when not all of it can be done as it is', () => {
    expect(needsQuestion(change('1'), [verdict(0), verdict(1, { why: 'gone' })], 'notice', soon)).toBe(true)
  })

  test('when many items are concerned, unless a notice just named them', () => {
    expect(needsQuestion(change('1', { count: 21 }), [verdict(0)], 'key', soon)).toBe(true)
    expect(needsQuestion(change('1', { count: 21 }), [verdict(0)], 'notice', soon)).toBe(false)
    expect(needsQuestion(change('1', { count: 20 }), [verdict(0)], 'key', soon)).toBe(false)
  })

  test('when something was made more than ten minutes ago', () => {
    const made = [verdict(0, { kind: 'make' })]
    expect(needsQuestion(change('1'), made, 'key', late)).toBe(true)
    expect(needsQuestion(change('1'), made, 'key', soon)).toBe(false)
    expect(needsQuestion(change('1'), [verdict(0)], 'key', late)).toBe(false)
  })
})

test('steps that are undone already are not counted', () => {
  const left = verdict(1)
  expect(leftOf({ verdicts: [verdict(0, { why: 'undone' }), left] })).toEqual([left])
})

test('without anything to do or to choose, the reason is given', () => {
  expect(hopelessReason([verdict(0, { why: 'final' })])).toEqual({ why: 'final' })
  const went = { how: 'taken', time: '2026-01-01T12:00:00Z' } as const
  expect(hopelessReason([verdict(0, { why: 'gone', went })])).toEqual({ why: 'gone', went })
  expect(hopelessReason([verdict(0, { why: 'taken' })])).toBeUndefined()
})

describe('decisions', () => {
  const verdicts = [
    verdict(3),
    verdict(2, { why: 'taken', to: '/from/2' }),
    verdict(1, { kind: 'replace', why: 'changed_since', offers: ['copy', 'over'] }),
    verdict(0, { kind: 'make', why: 'changed_since', offers: ['trash'] }),
    verdict(4, { why: 'gone' }),
  ]
  const groups = obstacleGroups(verdicts)

  test('the first choice of each group keeps most', () => {
    expect(groups.map(group => [group.why, defaultChoice(group)])).toEqual([
      ['taken', 'keepBoth'],
      ['changed_since', 'copy'],
      ['changed_since', 'leave'],
      ['gone', 'leave'],
    ])
  })

  test('become a request that names the steps to undo, without those that stay', () => {
    const choices = new Map(groups.flatMap(group => group.verdicts.map(each => [each.position, defaultChoice(group)])))
    expect(bodyOf(verdicts, ({ position }) => choices.get(position) ?? 'leave', true)).toEqual({
      steps: [3, 2, 1],
      choices: { '/from/2': 'keepBoth' },
      offers: { 1: 'copy' },
    })
  })

  test('about some of many steps leave the others to the server', () => {
    expect(bodyOf([verdict(0)], () => 'leave', false)).toEqual({})
  })
})
