import { expect, test } from 'vitest'
import { parsePath } from '../../../../shared/path.ts'
import type { ViewMode } from '../../../../shared/views.ts'
import { choiceFor, folderViews, withChoice } from './folder-views.ts'

const [photos, trip] = [parsePath('/photos'), parsePath('/photos/2024/trip')]

test('a view is for a folder and those below it, until one of them has its own', () => {
  const above = withChoice<ViewMode>({}, 1, photos, 'mosaic gallery')
  expect(choiceFor(above, 1, trip)).toBe('mosaic gallery')
  const both = withChoice(above, 1, trip, 'list')
  expect([photos, trip].map(folder => choiceFor(both, 1, folder))).toEqual(['mosaic gallery', 'list'])
})

test('folders next to it and other users keep theirs', () => {
  const views = withChoice({}, 1, photos, 'mosaic')
  expect(choiceFor(views, 1, parsePath('/photos 2'))).toBeUndefined()
  expect(choiceFor(views, 12, photos)).toBeUndefined()
})

test('the view chosen longest ago is forgotten', () => {
  let views = folderViews.store.get()
  for (let number = 0; number <= 300; number += 1) views = withChoice(views, 1, parsePath(`/${number}`), 'mosaic')
  expect(choiceFor(views, 1, parsePath('/0'))).toBeUndefined()
  expect(choiceFor(views, 1, parsePath('/1'))).toBe('mosaic')
})

test('“folders first” switched off below a folder where it is on stays off there', () => {
  const on = withChoice<boolean>({}, 1, photos, true)
  const both = withChoice(on, 1, trip, false)
  expect([photos, trip].map(folder => choiceFor(both, 1, folder))).toEqual([true, false])
})
