// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { fromPaste } from './pasted.ts'

const EVENING = new Date(2026, 10, 27, 18, 40, 5)

const pathsOf = (files: File[], now = EVENING) => fromPaste(files, now.getTime()).items.map(({ path }) => path)

test('an image without a name of its own is named after the time at which it was pasted', () => {
  const image = new File(['pixels'], 'image.png', { type: 'image/png', lastModified: EVENING.getTime() })
  expect(pathsOf([image])[0]).toMatch(/ 2026-11-27 18\.40\.05\.png$/)
})

test('a file keeps its name, also one that is called like such an image', () => {
  const old = new File(['pixels'], 'image.png', { lastModified: EVENING.getTime() - 3_600_000 })
  expect(pathsOf([old, new File(['text'], 'notes.txt')])).toEqual(['image.png', 'notes.txt'])
})
