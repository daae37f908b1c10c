import { describe, expect, test } from 'vitest'
import { ansiReader } from './ansi.ts'

const read = (line: string) => ansiReader()(line).map(({ text, style }) => [text, style])

describe('a line of output', () => {
  test.each<[string, unknown[]]>([
    ['plain', [['plain', {}]]],
    ['', []],
    [
      '\x1b[31mred\x1b[0m not',
      [
        ['red', { color: 1 }],
        [' not', {}],
      ],
    ],
    ['\x1b[1;94;41mall', [['all', { bold: true, color: 12, ground: 1 }]]],
    [
      '\x1b[32mgreen\x1b[39m none',
      [
        ['green', { color: 2 }],
        [' none', {}],
      ],
    ],
    ['\x1b[38;5;196mpalette', [['palette', { color: 9 }]]],
    ['\x1b[38;5;3mbasic', [['basic', { color: 3 }]]],
    ['\x1b[48;2;0;0;255mtrue\x1b[49m', [['true', { ground: 12 }]]],
    ['\x1b[38;2;120;120;120mgrey', [['grey', { color: 8 }]]],
    ['\x1b[mreset', [['reset', {}]]],
    ['\x1b[2K\x1b[1Gcleared', [['cleared', {}]]],
    ['\x1b]0;title\x07shown', [['shown', {}]]],
    ['\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', [['link', {}]]],
    ['10%\r50%\r100%\r', [['100%', {}]]],
    ['a\x07\x00b\tc', [['ab\tc', {}]]],
    ['\x1b[', []],
    ['<b>&amp;', [['<b>&amp;', {}]]],
  ])('%j is parsed into styled pieces', (line, pieces) => {
    expect(read(line)).toEqual(pieces)
  })

  test('inherits the style of the previous line', () => {
    const reader = ansiReader()
    expect(reader('\x1b[7mone')[0]?.style).toEqual({ inverse: true })
    expect(reader('two')[0]?.style).toEqual({ inverse: true })
    expect(reader('\x1b[0mthree')[0]?.style).toEqual({})
  })

  test('is parsed in linear time, whatever its content', () => {
    const began = performance.now()
    for (const part of ['\x1b', '\x1b[', '\x1b]', '\x1b[1;', '\r', '\x1b[31mx'])
      read(part.repeat((64 * 1024) / part.length))
    expect(performance.now() - began).toBeLessThan(1500)
  })
})
