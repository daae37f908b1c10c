// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { undoneStore } from '../files/changes/undone.ts'
import { beginSummary, endSummary, noteArrival, summaryStore } from './summary.ts'

beforeEach(beginSummary)

test('a run ends with the number of its files, their folder, and the names at its top', () => {
  noteArrival(parsePath('/photos/trip'), false)
  for (const name of ['/photos/trip/a.jpg', '/photos/trip/b.jpg', '/photos/c.jpg']) noteArrival(parsePath(name), true)
  endSummary(2, ['one'])
  expect(summaryStore.get()).toEqual({
    folder: '/photos',
    names: ['trip', 'c.jpg'],
    count: 3,
    isFiles: true,
    skipped: 2,
    changes: ['one'],
  })
})

test('a run of folders alone counts those, and one without any arrival has no summary', () => {
  endSummary(4, [])
  expect(summaryStore.get()).toBeNull()
  noteArrival(parsePath('/empty'), false)
  endSummary(0, [])
  expect(summaryStore.get()).toMatchObject({ folder: '/', names: ['empty'], count: 1, isFiles: false })
})

test('the next run takes the summary away', () => {
  noteArrival(parsePath('/a'), true)
  endSummary(0, [])
  beginSummary()
  expect(summaryStore.get()).toBeNull()
})

test('the undo of its run takes the summary away, wherever it began', () => {
  noteArrival(parsePath('/a'), true)
  endSummary(0, ['one'])
  undoneStore.set('another')
  expect(summaryStore.get()).not.toBeNull()
  undoneStore.set('one')
  expect(summaryStore.get()).toBeNull()
})
