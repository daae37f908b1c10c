// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MAX_PALE_ROWS } from '../../../shared/limits.ts'
import { parsePath } from '../../../shared/path.ts'
import { locationStore } from '../../lib/history.ts'
import { queryClient } from '../../lib/query.ts'
import { allOf, EMPTY } from '../../ui/grid/range-set.ts'
import { folderKey } from '../files/api/list.ts'
import { arrivingStore } from '../files/items/arriving.ts'
import { emptyItem } from '../files/operations/create.ts'
import { showPaleRows } from './pale-rows.tsx'
import { UploadQueue } from './queue.ts'
import { fileJob, scriptedTransport } from './test-transport.ts'

const SORTING = { by: 'name', asc: false } as const
const { transport, sending } = scriptedTransport()
const queue = new UploadQueue(transport)
let forget: () => void

const goTo = (pathname: string) => locationStore.set({ ...locationStore.get(), pathname })
const listed = (name: string) => emptyItem(parsePath(`/photos/${name}`), name, false)
const rows = (...names: string[]) => arrivingStore.get()?.addRows(names.map(listed), SORTING)
const namesOf = (...names: string[]) => rows(...names)?.map(({ name, cells }) => (cells ? `${name}…` : name))
const settle = () => vi.advanceTimersByTimeAsync(200)

beforeAll(() => {
  vi.useFakeTimers()
  forget = showPaleRows(queue)
})
afterAll(() => void vi.useRealTimers())
beforeEach(() => goTo('/files/photos/'))
afterEach(async () => {
  queue.cancelAll()
  forget()
  await settle()
})

test('what is sent into the folder on the screen has rows among the listed ones, and no other folder has any', async () => {
  queue.add([fileJob('/photos/b.jpg'), fileJob('/photos/old.jpg'), fileJob('/elsewhere/c.jpg')])
  await settle()
  expect(namesOf('a.jpg', 'old.jpg')).toEqual(['a.jpg', 'b.jpg…', 'old.jpg'])
  goTo('/files/empty/')
  expect(arrivingStore.get()).toBeNull()
})

test('such a row is never selected', async () => {
  queue.add([fileJob('/photos/b.jpg')])
  await settle()
  const shown = rows('a.jpg', 'c.jpg') ?? []
  const state = arrivingStore.get()?.withoutRows({ selected: allOf(3), focus: 1, anchor: 1 }, shown)
  expect(state).toEqual({ selected: [0, 1, 2, 3], focus: 1, anchor: 1 })
  expect(arrivingStore.get()?.withoutRows({ selected: EMPTY, focus: 0, anchor: 0 }, shown).selected).toEqual(EMPTY)
})

test('a file that has been sent keeps its row until the listing has it, and not after it is deleted again', async () => {
  queue.add([fileJob('/photos/b.jpg'), fileJob('/photos/z.jpg')])
  await settle()
  sending.find(({ path }) => path.endsWith('b.jpg'))?.finish()
  await settle()
  expect(namesOf('a.jpg')).toEqual(['a.jpg', 'b.jpg…', 'z.jpg…'])
  const folder = { ...listed(''), isDir: true, items: [listed('b.jpg')], numDirs: 0, numFiles: 1, sorting: SORTING }
  queryClient.setQueryData(folderKey('/photos'), folder)
  expect(namesOf('a.jpg')).toEqual(['a.jpg', 'z.jpg…'])
})

test('a folder shows a limited number of them', async () => {
  queue.add(Array.from({ length: MAX_PALE_ROWS + 20 }, (_, index) => fileJob(`/photos/${index}.jpg`)))
  await settle()
  expect(rows()).toHaveLength(MAX_PALE_ROWS)
})
