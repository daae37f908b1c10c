import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { foldName, type PlanFacts, plan } from './rename.ts'
import type { ItemFacts, RenameStep } from './rename-steps.ts'

const FILE: ItemFacts = { isDir: false, modified: new Date(2024, 4, 1, 9, 5, 7).getTime(), size: 12, folder: 'docs' }
const factsOf = (names: readonly string[], more: Partial<PlanFacts> = {}): PlanFacts => ({
  items: names.map(() => FILE),
  now: new Date(2025, 0, 2, 3, 4, 5),
  engine: RE2JS,
  ...more,
})
const renamed = (names: readonly string[], ...steps: RenameStep[]) =>
  plan(names, steps, factsOf(names)).map(({ to }) => to)
const one = (name: string, ...steps: RenameStep[]) => renamed([name], ...steps)[0]

describe('a step', () => {
  test('replaces text, as it is or in any letter case', () => {
    expect(one('IMG.img.jpg', { kind: 'replace', find: '.', with: '$&', ignoreCase: false })).toBe('IMG$&img.jpg')
    expect(one('IMG img.jpg', { kind: 'replace', find: 'img', with: 'x', ignoreCase: true })).toBe('x x.jpg')
  })

  test('replaces by an expression with groups', () => {
    const swap = { kind: 'expression', find: '(\\d+)-(\\d+)', with: '$2_$1', ignoreCase: false } as const
    expect(one('12-2024 report.txt', swap)).toBe('2024_12 report.txt')
  })

  test('replaces by an expression in linear time where others need years', () => {
    const evil = { kind: 'expression', find: '(a+)+$', with: 'b', ignoreCase: false } as const
    expect(one(`${'a'.repeat(80)}!.txt`, evil)).toBe(`${'a'.repeat(80)}!.txt`)
  })

  test('refuses an expression that is not valid', () => {
    expect(() => one('a', { kind: 'expression', find: '(', with: '', ignoreCase: false })).toThrow()
  })

  test('changes letter case', () => {
    const cased = (to: 'lower' | 'upper' | 'title' | 'sentence') => one("éTÉ à l'ouest.TXT", { kind: 'case', to })
    expect([cased('lower'), cased('upper'), cased('title'), cased('sentence')]).toEqual([
      "été à l'ouest.TXT",
      "ÉTÉ À L'OUEST.TXT",
      "Été À L'ouest.TXT",
      "Été à l'ouest.TXT",
    ])
  })

  test('inserts and removes by whole characters, from either end', () => {
    expect(one('a🙂b.txt', { kind: 'insert', text: '-', at: 2, from: 'start' })).toBe('a🙂-b.txt')
    expect(one('a🙂b.txt', { kind: 'insert', text: '-', at: 9, from: 'end' })).toBe('-a🙂b.txt')
    expect(one('a🙂bc.txt', { kind: 'remove', start: 1, count: 1, from: 'start' })).toBe('abc.txt')
    expect(one('a🙂bc.txt', { kind: 'remove', start: 1, count: 2, from: 'end' })).toBe('ac.txt')
    expect(one('abc.txt', { kind: 'remove', start: 5, count: 2, from: 'end' })).toBe('abc.txt')
  })

  test('numbers in the order of the list', () => {
    const step = { kind: 'number', start: 8, step: 2, digits: 3, at: 'end', separator: '-' } as const
    expect(renamed(['b.txt', 'a.txt'], step)).toEqual(['b-008.txt', 'a-010.txt'])
  })

  test('writes dates by a pattern', () => {
    const step = {
      kind: 'date',
      time: 'modified',
      pattern: 'YYYY-MM-DD HH.mm.ss',
      at: 'start',
      separator: ' ',
    } as const
    expect(one('a.txt', step)).toBe('2024-05-01 09.05.07 a.txt')
  })

  test('changes extensions, but takes a leading dot for none', () => {
    expect(one('a.JPG', { kind: 'extension', to: 'lower', value: '' })).toBe('a.jpg')
    expect(one('a.jpeg', { kind: 'extension', to: 'set', value: '.jpg' })).toBe('a.jpg')
    expect(one('.bashrc', { kind: 'extension', to: 'remove', value: '' })).toBe('.bashrc')
  })

  test('tidies spaces, accents and characters that Windows refuses', () => {
    const tidy = { kind: 'tidy', spaces: true, compose: true, accents: true, portable: true } as const
    expect(one('  Año:  "neu"? .txt', tidy)).toBe("Ano- 'neu'.txt")
    expect(one('が.txt', tidy)).toBe('が.txt')
  })

  test('fills a template, and keeps the extension unless the template has one', () => {
    expect(one('a.txt', { kind: 'template', pattern: '{folder} {n:3} {name} {modified:YYYY} {size} {x}' })).toBe(
      'docs 001 a 2024 12 {x}.txt',
    )
    expect(one('a.TXT', { kind: 'template', pattern: '{name}-{n}.{ext}' })).toBe('a-1.TXT')
    expect(one('a', { kind: 'template', pattern: '{name}-{n}.{ext}' })).toBe('a-1')
  })
})

describe('a plan', () => {
  test('reports why an item cannot get its name', () => {
    const problem = (pattern: string, more: Partial<PlanFacts> = {}, names = ['a.txt']) =>
      plan(names, [{ kind: 'template', pattern }], factsOf(names, more))[0]?.problem
    expect(problem('{n}')).toBeUndefined()
    expect(problem(' {ext}', {}, ['a'])).toBe('empty')
    expect(problem('a/b')).toBe('invalid')
    expect(problem('.{ext}', {}, ['.'])).toBe('empty')
    expect(problem('.~fg-0')).toBe('reserved')
    expect(problem('€'.repeat(90))).toBe('tooLong')
    expect(problem('x', {}, ['a.txt', 'b.txt'])).toBe('duplicate')
    expect(problem('b', { isTaken: (_, name) => name === 'b.txt' })).toBe('taken')
    expect(problem('{taken}')).toBe('unknown')
  })

  test('takes names of different case for the same only where the folder does', () => {
    const names = ['A-1.txt', 'a-2.txt']
    const cut = [{ kind: 'remove', start: 1, count: 2, from: 'start' }] as const
    const problems = (folds: boolean) => plan(names, cut, factsOf(names, { folds })).map(({ problem }) => problem)
    expect(problems(false)).toEqual([undefined, undefined])
    expect(problems(true)).toEqual(['duplicate', 'duplicate'])
  })

  test('lets two items have the same name in different folders', () => {
    const names = ['a.txt', 'b.txt']
    const facts = factsOf(names, { folderOf: String })
    expect(plan(names, [{ kind: 'template', pattern: 'x' }], facts).some(({ problem }) => problem)).toBe(false)
  })

  const step = fc.oneof(
    fc.record({
      kind: fc.constant('replace' as const),
      find: fc.string(),
      with: fc.string(),
      ignoreCase: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('case' as const), to: fc.constantFrom('lower', 'upper', 'title', 'sentence') }),
    fc.record({
      kind: fc.constant('insert' as const),
      text: fc.string(),
      at: fc.nat(300),
      from: fc.constantFrom('start', 'end'),
    }),
    fc.record({
      kind: fc.constant('remove' as const),
      start: fc.nat(9),
      count: fc.nat(9),
      from: fc.constantFrom('start', 'end'),
    }),
    fc.record({ kind: fc.constant('template' as const), pattern: fc.string() }),
    fc.record({
      kind: fc.constant('tidy' as const),
      spaces: fc.boolean(),
      compose: fc.boolean(),
      accents: fc.boolean(),
      portable: fc.boolean(),
    }),
  ) as fc.Arbitrary<RenameStep>
  const anyNames = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), { maxLength: 8 })

  test('never gives two items without a problem the same name, or a name that cannot be', () => {
    fc.assert(
      fc.property(anyNames, fc.array(step, { maxLength: 4 }), fc.boolean(), (names, steps, folds) => {
        const good = plan(names, steps, factsOf(names, { folds })).filter(({ problem }) => problem === undefined)
        const changed = good.filter(({ from, to }) => from !== to).map(({ to }) => to)
        const all = good.map(({ to }) => (folds ? foldName(to) : to))
        for (const name of changed) {
          expect(all.filter(other => other === (folds ? foldName(name) : name))).toHaveLength(1)
          expect(name === '' || name.includes('/') || name.includes('\0')).toBe(false)
        }
      }),
    )
  })

  test('without steps changes nothing', () => {
    fc.assert(
      fc.property(anyNames, names => {
        expect(plan(names, [], factsOf(names)).every(({ from, to, problem }) => from === to && !problem)).toBe(true)
      }),
    )
  })
})
