import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { freeName, freeStem, splitName, stemLength } from './names.ts'

test('a short name is never truncated', () => {
  expect(splitName('report.pdf')).toEqual({ start: 'report.pdf', end: '' })
})

test('a long name keeps its last letters and its extension', () => {
  expect(splitName('minutes of the long meeting 2024.pdf').end).toBe('g 2024.pdf')
})

test('an overlong suffix is not an extension', () => {
  expect(splitName('a.very long text after the only dot').end.length).toBe(6)
})

test('both parts concatenated are the name, whatever its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), name => {
      const { start, end } = splitName(name)
      expect(start + end).toBe(name)
      expect(start.isWellFormed()).toBe(name.isWellFormed())
    }),
  )
})

test('the stem ends before the last dot, and a dot file is all stem', () => {
  expect(stemLength('photo.tar.gz')).toBe(9)
  expect(stemLength('.bashrc')).toBe(7)
  expect(stemLength('New folder')).toBe(10)
})

describe('a free name next to a taken one', () => {
  it('is numbered before the extension', () => {
    expect(freeName('a.txt', new Set(['a.txt', 'a(1).txt']))).toBe('a(2).txt')
    expect(freeName('folder', new Set(['folder']))).toBe('folder(1)')
  })

  it('stays as it is when it is free', () => {
    expect(freeName('a.txt', new Set())).toBe('a.txt')
  })

  it('is numbered before a compound extension', () => {
    expect(freeStem('my.trip', '.tar.gz', new Set(['my.trip.tar.gz', 'my.trip(1).zip']))).toBe('my.trip(1)')
  })
})
