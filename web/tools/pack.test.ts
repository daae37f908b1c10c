import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { unpack } from '../lib/i18n/packed.ts'
import { compileMessage, readCatalogue } from './catalogue.ts'
import { packCatalogue } from './pack.ts'

const compiled = (texts: string[]) => texts.map((text, at) => compileMessage(String(at), text))

describe('a packed catalogue', () => {
  const russian = Object.values(readCatalogue(fileURLToPath(new URL('../locales/ru.json', import.meta.url))))

  it('trades letters where that is shorter, and comes out as it went in', () => {
    const texts = compiled(russian)
    const packed = packCatalogue(texts)
    expect(packed).toHaveProperty('letters')
    expect(unpack(packed)[0]).toBe(texts[0])
    expect(unpack(packed).length).toBe(texts.length)
  })

  it('stays as it is where it is not', () => {
    const texts = compiled(['Delete “{name}”?', 'Ça va'])
    expect(packCatalogue(texts)).toEqual(texts)
  })

  it('leaves out the plural forms that read like the last one', () => {
    const texts = compiled(['{n, plural, =0 {x} one {# file} many {# x} other {# x}}'])
    expect(unpack(packCatalogue(texts))).toEqual([[['n', 2, { '=0': 'x', one: [0, ' file'], other: [0, ' x'] }]]])
  })
})
