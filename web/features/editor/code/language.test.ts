import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { isColourable, languageOf, unitOf } from './language.ts'

const textOf = (...lines: string[]) => Text.of(lines)

test.each([
  ['main.ts', 'TypeScript'],
  ['Dockerfile', 'Dockerfile'],
  ['a.py', 'Python'],
  ['README.md', 'Markdown'],
  ['style.scss', 'SCSS'],
  ['CMakeLists.txt', 'CMake'],
])('%s has the language %s', (name, language) => {
  expect(languageOf(name)?.name).toBe(language)
})

test('an unknown name is plain text', () => {
  expect(languageOf('notes')).toBeUndefined()
})

test.each([
  [textOf('a', '\tb', '\t\tc', 'd'), '\t'],
  [textOf('a', '    b', '        c', '', '    d'), '    '],
  [textOf('a', '  b', '    c', '  d'), '  '],
  [textOf('a', 'b'), '  '],
])('the indentation of a text is detected', (text, unit) => {
  expect(unitOf(text)).toBe(unit)
})

test('long lines and very long texts are not highlighted', () => {
  expect(isColourable(textOf('a', 'b'.repeat(100)))).toBe(true)
  expect(isColourable(textOf('a', 'b'.repeat(20_001)))).toBe(false)
})
