// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { type FilePath, parsePath } from '../../../../shared/path.ts'
import { wayBack } from './focus-request.ts'

const path = (text: string): FilePath => parsePath(text)

test('going up leads back to the folder the user came from', () => {
  expect(wayBack(path('/a'), path('/a/b'))).toBe('b')
  expect(wayBack(path('/'), path('/a/b/c'))).toBe('a')
})

test('a folder whose path only shares a prefix is not the way back', () => {
  expect(wayBack(path('/a'), path('/ab/c'))).toBeUndefined()
})

test('going down or staying has no way back', () => {
  expect(wayBack(path('/a/b'), path('/a'))).toBeUndefined()
  expect(wayBack(path('/a'), path('/a'))).toBeUndefined()
  expect(wayBack(path('/a'), undefined)).toBeUndefined()
})
