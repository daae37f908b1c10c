import { describe, expect, test } from 'vitest'
import { inContents, markLine, markName, toggleType } from './query-text.ts'

describe('the button of a type', () => {
  test.each([
    ['', 'type:image '],
    ['holiday', 'type:image holiday'],
    ['type:pdf holiday', 'type:image type:pdf holiday'],
    ['type:image holiday', 'holiday'],
    ['holiday type:image', 'holiday '],
    ['type:image', ''],
    ['type:images', 'type:image type:images'],
  ])('turns %j into %j', (before, after) => {
    expect(toggleType(before, 'image')).toBe(after)
  })
})

describe('the button of contents', () => {
  test.each([
    ['', ''],
    ['type:pdf ', ''],
    ['fox', 'content:fox'],
    ['quick fox', 'content:quick content:fox'],
    ['"quick fox" type:pdf', 'type:pdf content:"quick fox"'],
    ['case:sensitive Fox', 'case:sensitive content:Fox'],
    ['content:fox name', 'content:fox name'],
    ['a"b', 'content:a content:b'],
  ])('searches %j by %j', (text, query) => {
    expect(inContents(text)).toBe(query)
  })

  test('highlights matches in a line', () => {
    const marked = markLine('A quick Fox', 'type:pdf content:fox quick').filter(piece => piece.found)
    expect(marked.map(piece => piece.text)).toEqual(['Fox'])
  })
})

describe('highlighted matches in a name', () => {
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

  test('concatenate to the name', () => {
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
