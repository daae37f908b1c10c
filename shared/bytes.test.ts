import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteLength, bytesOf, decodeEscapes, encodeName, saysItsBytes, shownName, textOf } from './bytes.ts'

/** Bytes that are often nearly UTF-8: whole characters, truncated ones, and arbitrary bytes. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }).map(piece => [...piece]),
      fc.string({ unit: 'binary', maxLength: 3 }).map(text => [...new TextEncoder().encode(text)]),
      fc.constantFrom([0xc3], [0xa9], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]),
    ),
    { maxLength: 8 },
  )
  .map(pieces => Uint8Array.from(pieces.flat()))

const isUtf8 = (given: Uint8Array) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(given)
    return true
  } catch {
    return false
  }
}

describe('bytes as text', () => {
  test('survive a round trip, whatever they are', () => {
    fc.assert(
      fc.property(bytes, given => {
        const text = textOf(given)
        expect([...bytesOf(text)]).toEqual([...given])
        expect(byteLength(text)).toBe(given.length)
        expect(saysItsBytes(text)).toBe(true)
        expect(decodeEscapes(encodeName(text))).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  test('are decoded as UTF-8 exactly when they are UTF-8', () => {
    fc.assert(
      fc.property(bytes, given => {
        expect(textOf(given).isWellFormed()).toBe(isUtf8(given))
        if (isUtf8(given)) expect(textOf(given)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(given))
      }),
      { numRuns: 5000 },
    )
  })

  test('a string is reported as exact only if its bytes decode to it', () => {
    const unit = fc.constantFrom('a', 'é', '\ud800', '\udc80', '\udcc3', '\udca9', '\udcff', '\udd00', '😀')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 }), text => {
        expect(saysItsBytes(text)).toBe(textOf(bytesOf(text)) === text)
      }),
    )
    expect(saysItsBytes('caf\udce9')).toBe(true)
    for (const other of ['\udcc3\udca9', '\ud800', '\udc7f', '\udd00']) expect(saysItsBytes(other)).toBe(false)
  })

  test.each([
    ['caf%E9', 'caf\udce9'],
    ['%C0%AF', '\udcc0\udcaf'],
    ['%ED%A0%80', '\udced\udca0\udc80'],
    ['%C3%A9', 'é'],
    ['\udcc3%A9', 'é'],
    ['100%25', '100%'],
    ['%zz', undefined],
    ['%E9%', undefined],
  ])('the escapes in %j decode to %j', (encoded, decoded) => {
    expect(decodeEscapes(encoded)).toBe(decoded)
  })
})

test('displayed names show each byte that is not UTF-8, and everything else unchanged', () => {
  expect(shownName('caf\udce9 – 😀.txt')).toBe('caf\\xE9 – 😀.txt')
  expect(shownName('café')).toBe('café')
})

test('NAME-11 displayed names show line breaks, hidden characters and reversals as symbols', () => {
  expect(shownName('two\nlines\t\x7f')).toBe('two␊lines␉␡')
  expect(shownName('\u202egnp.exe\u2028\x85')).toBe('\\u202Egnp.exe\\u2028\\u0085')
  expect(shownName('in\u200bvoice\u00ad.pdf\ufeff')).toBe('in\\u200Bvoice\\u00AD.pdf\\uFEFF')
  expect(shownName('می\u200cخواهم 👩\u200d🚀')).toBe('می\u200cخواهم 👩\u200d🚀')
  expect(shownName('\u2068שלום\u2069')).toBe('\u2068שלום\u2069')
})
