import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitWords } from './shell-split.ts'

test.each([
  ['ls -l  /tmp', ['ls', '-l', '/tmp']],
  ['  ls\t-a\n', ['ls', '-a']],
  ['', []],
  [' \t ', []],
  ['\\\n', ['']],
  ['echo \'a b\' "c d" e\\ f', ['echo', 'a b', 'c d', 'e f']],
  [`a'b'"c"d`, ['abcd']],
  [`'' ""`, ['', '']],
  [`"a\\"b" 'a\\b' "a\\b" a\\b`, ['a"b', 'a\\b', 'a\\b', 'ab']],
  [`"\\$x \\\`y\\\` \\\\"`, ['$x `y` \\']],
  ['"a\\\nb" c\\\nd', ['ab', 'cd']],
  ['größe ein\u00a0wort 🙂', ['größe', 'ein\u00a0wort', '🙂']],
])('%j is %j', (line, words) => {
  expect(splitWords(line)).toEqual(words)
})

test.each([
  ['ls; touch P', ['ls;', 'touch', 'P']],
  ['ls && touch P', ['ls', '&&', 'touch', 'P']],
  ['ls $(touch P) `touch P`', ['ls', '$(touch', 'P)', '`touch', 'P`']],
  ['ls | sh > P # *', ['ls', '|', 'sh', '>', 'P', '#', '*']],
  [`VAR=1 ls \${IFS} ~`, ['VAR=1', 'ls', `\${IFS}`, '~']],
])('characters special to a shell are literal: %j', (line, words) => {
  expect(splitWords(line)).toEqual(words)
})

test.each(["it's", '"open', "'", 'a\\', '"\\"', 'nul\0'])('%j is refused', line => {
  expect(() => splitWords(line)).toThrow(expect.objectContaining({ code: 'bad_request' }))
})

const word = fc.string({ unit: fc.constantFrom(...'aZ09 \t\n\'"\\$`;|&<>(){}*?#~!ä🙂') })
const quotings = [
  (text: string) => `'${text.replaceAll("'", `'\\''`)}'`,
  (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`,
  (text: string) => (text === '' ? "''" : text.replace(/[\s\S]/g, char => (char === '\n' ? "'\n'" : `\\${char}`))),
]

test('words quoted in any way are split as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.constantFrom(...quotings))), pairs => {
      const line = pairs.map(([text, quote]) => quote(text)).join(' ')
      expect(splitWords(line)).toEqual(pairs.map(([text]) => text))
    }),
  )
})

test('a shell splits words of letters, quotes and backslashes in the same way', () => {
  const line = fc.string({ unit: fc.constantFrom(...'ab \'"\\\t') })
  fc.assert(
    fc.property(line, text => {
      const split = attempt(() => splitWords(text))
      // Without a closing quote, or after a trailing backslash, shells differ.
      fc.pre(split !== undefined)
      const script = `printf '%s\\0' x ${text}`
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(1, -1)).toEqual(split)
    }),
    { numRuns: 50 },
  )
})

test('CMD-02 any line is either split or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), line => {
      for (const text of attempt(() => splitWords(line)) ?? []) expect(typeof text).toBe('string')
    }),
  )
})

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_request' })
    return undefined
  }
}
