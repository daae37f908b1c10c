import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from '../../../shared/bytes.ts'
import { encodeManifest, formatComment, formatLine, parseManifest } from './format.ts'

const sum = 'a'.repeat(64)
const parse = (text: string) => parseManifest(encodeManifest(text))

test('a line reads as it was written, whatever bytes the name has', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).filter(all => !all.includes(0))
  fc.assert(
    fc.property(bytes, all => {
      const name = textOf(all)
      expect(parse(formatLine({ name, sum }))).toEqual([{ name, sum }])
    }),
  )
})

test('lines of other programs are read: binary mode, upper case, line ends of Windows', () => {
  expect(parse(`${sum.toUpperCase()} *a b.txt\r\n\r\n# comment\n${sum}  c\n`)).toEqual([
    { name: 'a b.txt', sum },
    { name: 'c', sum },
  ])
})

test('any other text is no line', () => {
  expect(parse(`hello\n${sum.slice(1)}  short\n${sum} x\n`)).toEqual([undefined, undefined, undefined])
})

test('a comment is one line', () => {
  expect(formatComment('not_found: a\nb')).toBe('# not_found: a b\n')
  expect(formatComment('')).toBe('#\n')
})
