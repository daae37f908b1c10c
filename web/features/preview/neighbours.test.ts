import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { isInGallery, successor } from './neighbours.ts'

const item = (name: string, type: ResourceItem['type'], isDir = false): ResourceItem => ({
  path: `/${name}`,
  name,
  size: 1,
  extension: '',
  modified: '2026-01-01T00:00:00Z',
  mode: 0o644,
  isDir,
  isSymlink: false,
  type,
})

const ROWS = [
  item('folder', '', true),
  item('a', 'image'),
  item('b', 'text'),
  item('c', 'blob'),
  item('d', 'invalid_link'),
]

test('navigation includes every file, not folders and links without a target', () => {
  expect(ROWS.filter(isInGallery).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('the next file replaces a deleted one', () => {
  expect(successor(ROWS, 2)?.name).toBe('b')
})

test('at the end the previous one replaces it', () => {
  expect(successor(ROWS, 4)?.name).toBe('c')
})

test('nothing replaces it where nothing else can be shown', () => {
  expect(successor([item('folder', '', true)], 1)).toBeUndefined()
})
