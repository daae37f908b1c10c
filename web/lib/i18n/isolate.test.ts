import { expect, it } from 'vitest'
import { isolated } from './isolate.ts'

it('a name is isolated where right-to-left text occurs, and unchanged elsewhere', () => {
  expect(isolated('photo (1).jpg', 'ltr')).toBe('photo (1).jpg')
  expect(isolated('写真 – Łódź 😀.jpg', 'ltr')).toBe('写真 – Łódź 😀.jpg')
  expect(isolated('photo (1).jpg', 'rtl')).toBe('\u2068photo (1).jpg\u2069')
  for (const name of ['תמונה.jpg', 'صورة.jpg', '𐤀𐤁.txt', '𞤀𞤣.txt', '1\u200f.txt']) {
    expect(isolated(name, 'ltr')).toBe(`\u2068${name}\u2069`)
    expect(isolated(name, 'rtl')).toBe(`\u2068${name}\u2069`)
  }
})

it('embeddings opened by a name end with it, and it closes only its own', () => {
  expect(isolated('a\u2067b', 'ltr')).toBe('\u2068a\u2067b\u2069\u2069')
  expect(isolated('a\u2069\u2069b', 'ltr')).toBe('\u2068ab\u2069')
  expect(isolated('\u2066a\u2069\u2069\u2067b', 'rtl')).toBe('\u2068\u2066a\u2069\u2067b\u2069\u2069')
})
