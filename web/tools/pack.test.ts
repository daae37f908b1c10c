import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { unpack } from '../lib/i18n/packed.ts'
import { compileMessage, readCatalogue } from './catalogue.ts'
import { packCatalogue } from './pack.ts'

const compiled = (texts: string[]) => texts.map((text, at) => compileMessage(String(at), text))
const spoken = (code: string) =>
  Object.values(readCatalogue(fileURLToPath(new URL(`../locales/${code}.json`, import.meta.url))))

describe('a packed catalogue', () => {
  it.each(['ru', 'ar', 'ja', 'fr', 'en'])('in %s comes out as it went in', code => {
    // Redundant plural forms of a message may be left out.
    const texts = compiled(spoken(code).filter(text => !text.includes('plural')))
    expect(unpack(packCatalogue(texts))).toEqual(texts)
  })

  it('swaps letters only where that is shorter', () => {
    expect(packCatalogue(compiled(spoken('ru'))).letters).toContain('о')
    expect(packCatalogue(compiled(['Delete “{name}”? 🙂', 'Ça va, Zoë: \\ `$'])).lines).toContain('Delete')
  })

  it('leaves out plural forms equal to `other`', () => {
    const texts = compiled(['{n, plural, =0 {x} one {# file} many {# x} other {# x}}'])
    expect(unpack(packCatalogue(texts))).toEqual([[['n', 2, { '=0': 'x', one: [0, ' file'], other: [0, ' x'] }]]])
  })

  it('cannot hold a multi-line text', () => {
    expect(() => packCatalogue(['a\nb'])).toThrow('line end')
    expect(() => packCatalogue(['\ta'])).toThrow('tab')
  })
})
