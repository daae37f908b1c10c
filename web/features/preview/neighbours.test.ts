import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { isInTurn, successor } from './neighbours.ts'

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

const ROWS = [item('folder', '', true), item('a', 'image'), item('b', 'text'), item('c', 'blob'), item('d', 'pdf')]

test('pictures, films, sounds and unknown files are gone through, folders, texts and documents are not', () => {
  expect(ROWS.filter(isInTurn).map(({ name }) => name)).toEqual(['a', 'c'])
})

test('the next thing takes the place of one that is gone', () => {
  expect(successor(ROWS, 2)?.name).toBe('c')
})

test('at the end the one before takes the place', () => {
  expect(successor(ROWS, 4)?.name).toBe('c')
})

test('nothing takes the place where nothing else can be shown', () => {
  expect(successor([item('folder', '', true)], 1)).toBeUndefined()
})
