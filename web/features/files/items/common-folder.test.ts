import { expect, it } from 'vitest'
import { commonFolder, pathsFrom } from './common-folder.ts'

const at = (...paths: string[]) => paths.map(path => ({ path }))

it('the common folder is the deepest one that holds all paths', () => {
  expect(commonFolder(at('/a/b/one', '/a/b/c/two'))).toBe('/a/b')
  expect(commonFolder(at('/a/b', '/a/bc/two'))).toBe('/a')
  expect(commonFolder(at('/one', '/a/two'))).toBe('/')
  expect(commonFolder([])).toBe('/')
})

it('paths are relative to the common folder', () => {
  expect(pathsFrom('/a', at('/a/one', '/a/b/two'))).toEqual(['one', 'b/two'])
  expect(pathsFrom('/', at('/one', '/b/two'))).toEqual(['one', 'b/two'])
})
