import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { firstLoaded, picturesAfter } from './steps.ts'

const item = (name: string, type: ResourceItem['type'] = 'image', isDir = false) =>
  ({ path: `/${name}`, name, type, isDir }) as ResourceItem

const items = [item('a'), item('film', 'video'), item('b'), item('c'), item('album', 'image', true)]
const names = (pictures: readonly ResourceItem[]) => pictures.map(({ name }) => name)

test('a slideshow continues with the next image, and after the last one with the first', () => {
  expect(names(picturesAfter(items, 2))).toEqual(['c', 'a'])
  expect(names(picturesAfter(items, 3))).toEqual(['a', 'b'])
})

test('after an image that has left the folder it begins with the first', () => {
  expect(names(picturesAfter(items, -1))).toEqual(['a', 'b', 'c'])
})

test('an image that does not load is skipped, and none is left where ten fail', async () => {
  const load = (broken: readonly string[]) => async (picture: ResourceItem) => {
    if (broken.includes(picture.name)) throw new Error('broken')
  }
  const pictures = Array.from({ length: 12 }, (_, index) => item(String(index)))
  expect(await firstLoaded(pictures, load(['0', '1']))).toBe(pictures[2])
  expect(await firstLoaded(pictures, load(names(pictures.slice(0, 10))))).toBeUndefined()
})
