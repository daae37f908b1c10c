import { expect, test } from 'vitest'
import { parsePath } from '../../../../shared/path.ts'
import { folderViews, viewFor, withView } from './folder-views.ts'

const [photos, trip] = [parsePath('/photos'), parsePath('/photos/2024/trip')]

test('a view is for a folder and those below it, until one of them has its own', () => {
  const above = withView({}, 1, photos, 'mosaic gallery')
  expect(viewFor(above, 1, trip)).toBe('mosaic gallery')
  const both = withView(above, 1, trip, 'list')
  expect([photos, trip].map(folder => viewFor(both, 1, folder))).toEqual(['mosaic gallery', 'list'])
})

test('folders next to it and other users keep theirs', () => {
  const views = withView({}, 1, photos, 'mosaic')
  expect(viewFor(views, 1, parsePath('/photos 2'))).toBeUndefined()
  expect(viewFor(views, 12, photos)).toBeUndefined()
})

test('the view chosen longest ago is forgotten', () => {
  let views = folderViews.store.get()
  for (let number = 0; number <= 300; number += 1) views = withView(views, 1, parsePath(`/${number}`), 'mosaic')
  expect(viewFor(views, 1, parsePath('/0'))).toBeUndefined()
  expect(viewFor(views, 1, parsePath('/1'))).toBe('mosaic')
})
