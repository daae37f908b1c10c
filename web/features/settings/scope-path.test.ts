import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { folderOf, scopeOf } from './scope-path.ts'

test('a folder of an administrator of the whole served folder is the scope itself', () => {
  for (const own of ['.', '/', '', './']) {
    expect(scopeOf(parsePath('/photos/2024'), own)).toBe('/photos/2024')
    expect(scopeOf(parsePath('/'), own)).toBe('.')
    expect(folderOf('/photos/2024/', own)).toBe('/photos/2024')
    expect(folderOf('.', own)).toBe('/')
  }
})

test('a folder of an administrator with a scope is below that scope', () => {
  expect(scopeOf(parsePath('/2024'), '/photos')).toBe('/photos/2024')
  expect(scopeOf(parsePath('/'), './photos')).toBe('/photos')
  expect(folderOf('photos/2024', '/photos')).toBe('/2024')
})

test('a scope outside the files of the administrator, or that is no path, leads to the topmost folder', () => {
  expect(folderOf('/music', '/photos')).toBe('/')
  expect(folderOf('/photography', '/photos')).toBe('/')
  expect(folderOf('/..', '.')).toBe('/')
})
