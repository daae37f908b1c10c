import { expect, it } from 'vitest'
import { noteReturn, takeReturn } from './return.ts'

it('a file opened from a page returns there, once, and no other file does', () => {
  expect(takeReturn('/a.txt')).toBe(false)
  noteReturn('/a.txt')
  expect([takeReturn('/a.txt'), takeReturn('/a.txt')]).toEqual([true, false])
  // A folder that was opened from the page is not left by closing a file.
  noteReturn('/folder')
  expect([takeReturn('/folder/b.txt'), takeReturn('/folder')]).toEqual([false, false])
})
