import { describe, expect, test } from 'vitest'
import { markName, toggleType } from './query-text.ts'

describe('the button of a type', () => {
  test.each([
    ['', 'type:image '],
    ['holiday', 'type:image holiday'],
    ['type:pdf holiday', 'type:image type:pdf holiday'],
    ['type:image holiday', 'holiday'],
    ['holiday type:image', 'holiday '],
    ['type:image', ''],
    ['type:images', 'type:image type:images'],
  ])('makes %j to %j', (before, after) => {
    expect(toggleType(before, 'image')).toBe(after)
  })
})

describe('what is found in a name', () => {
  const marked = (name: string, query: string) =>
    markName(name, query)
      .map(({ text, found }) => (found ? `[${text}]` : text))
      .join('')

  test.each([
    ['Holiday 2024.jpg', 'holiday', '[Holiday] 2024.jpg'],
    ['Holiday 2024.jpg', '2024 JPG', 'Holiday [2024].[jpg]'],
    ['banana', 'an', 'b[anan]a'],
    ['banana', 'anan nan', 'b[anan]a'],
    ['a b.txt', '"a b"', '[a b].txt'],
    ['Photo photo', 'case:sensitive Photo', '[Photo] photo'],
    ['photo.png', 'type:image', 'photo.png'],
    ['photo.png', 'type:image png', 'photo.[png]'],
    ['İstanbul', 'stanbul', 'İstanbul'],
    ['日本語.txt', '本', '日[本]語.txt'],
  ])('%j for %j is %j', (name, query, expected) => {
    expect(marked(name, query)).toBe(expected)
  })

  test('puts together what it took apart', () => {
    const name = 'aAbBaAbB.aab'
    for (const query of ['a', 'ab', 'a b', 'aab bb', 'x', '.']) {
      expect(
        markName(name, query)
          .map(piece => piece.text)
          .join(''),
      ).toBe(name)
    }
  })
})
