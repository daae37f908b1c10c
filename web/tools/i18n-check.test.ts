import { describe, expect, it } from 'vitest'
import { compileMessage, shapeOf } from './catalogue.ts'
import { checkChunks } from './chunks-check.ts'
import { checkCatalogue, checkFiles, checkSame, checkUse } from './i18n-check.ts'
import { typesOf } from './i18n-types.ts'
import { checkTypography } from './typography.ts'

const ENGLISH = { 'a.b': 'Hello {name}', 'a.c': '{n, plural, one {# file} other {# files}}' }

describe('the check of the texts', () => {
  it('finds the arguments of a message, also inside branches', () => {
    const message = '{who}: {n, plural, one {# of {total, number}} other {{day, date, short}}}'
    expect([...shapeOf(compileMessage('k', message)).args]).toEqual([
      ['who', 'string'],
      ['n', 'number'],
      ['total', 'number'],
      ['day', 'date'],
    ])
    expect(() => shapeOf(compileMessage('k', '{who, select, me {I} other {they}}'))).toThrow('select')
  })

  it('names the key of an invalid message', () => {
    expect(() => compileMessage('a.b', '{n, plural, one {x}')).toThrow('a.b')
  })

  it('finds unused texts, and uses without a text', () => {
    expect(checkUse(ENGLISH, "t('a.b', { name }) t('a.d')")).toEqual(['en: a.c is not used', 'en: a.d is missing'])
    expect(checkUse(ENGLISH, "{ labelKey: 'a.b' } { labelKey: 'a.c' }")).toEqual([])
    expect(checkUse(ENGLISH, `t(\`a.\${letter}\`)`)).toEqual([])
  })

  it('requires every plural form of the language', () => {
    const polish = { 'a.b': 'Cześć {name}', 'a.c': '{n, plural, one {# plik} other {# plików}}' }
    expect(checkCatalogue('pl', 'pl', polish, ENGLISH)).toEqual(['pl: a.c: {n} lacks the form few, many'])
  })

  it('requires the keys and arguments of English, no markup, no empty text', () => {
    const german = { 'a.b': 'Hallo <b>{nam}</b>', 'a.x': 'x' }
    const problems = checkCatalogue('de', 'de', german, ENGLISH)
    expect(problems).toContain('de: a.c is missing')
    expect(problems).toContain('de: a.x is not in the English catalogue')
    expect(problems).toContain('de: a.b holds markup')
    expect(checkCatalogue('de', 'de', { ...ENGLISH, 'a.b': 'Hallo' }, ENGLISH)).toEqual([
      'de: a.b has the arguments {} instead of {name}',
    ])
    expect(checkCatalogue('de', 'de', { ...ENGLISH, 'a.c': 'Dateien: {n}' }, ENGLISH)).toEqual([
      'de: a.c has the arguments {n} instead of {n: number}',
    ])
    expect(checkCatalogue('de', 'de', { ...ENGLISH, 'a.b': ' ' }, ENGLISH)).toContain('de: a.b is empty')
  })

  it.each([
    ['fr', 'Supprimer ?', 'Supprimer\u00A0?'],
    ['fr', '«Nom»', '«\u00A0Nom\u00A0»'],
    ['es', 'Eliminar?', '¿Eliminar?'],
    ['es', 'Listo!', '¡Listo!'],
    ['ar', 'حذف?', 'حذف؟'],
    ['ja', '削除しますか?', '削除しますか？'],
    ['zh-tw', '刪除?', '刪除？'],
    ['de', 'Suche...', 'Suche…'],
    ['ua', 'межа — 3', 'межа\u00A0— 3'],
  ])('knows how %s sets “%s”', (code, wrong, right) => {
    expect(checkTypography(code, { 'a.b': wrong })).toHaveLength(1)
    expect(checkTypography(code, { 'a.b': right })).toEqual([])
  })

  it('finds catalogues of languages that cannot be selected', () => {
    expect(checkFiles(['locales/de.json', 'locales/xx.json'], ['de', 'en'])).toEqual([
      'xx: is not in shared/locales.ts',
    ])
  })

  it('finds texts left in English, and words listed as equal that are not', () => {
    const english = {
      'a.b': 'Name',
      'a.c': 'OK',
      'a.d': '{n} / {m}',
      'a.e': 'Text',
      'a.f': '{n, plural, one {x} other {y}}',
    }
    const words = { all: ['OK'], de: ['Text', 'Land'] }
    expect(checkSame('de', english, english, words)).toEqual([
      'de: a.b is as in English: Name',
      'de: a.f is as in English: {n, plural, one {x} other {y}}',
      'de: “Land” is listed as the same but is not',
    ])
  })

  it('finds texts of later chunks in modules that do not wait for them', () => {
    const sources = new Map([
      [
        'app/main.tsx',
        "import { Bar } from '../ui/bar.tsx'\nconst Tool = lazyTool(() => import('../features/tool.tsx'))\nconst Trash = lazyHistory(() => import('../features/trash.tsx'))",
      ],
      ['ui/bar.tsx', "t('users.title')\nt('files.open')\nlazyPart(() => import('./menu.tsx'))"],
      ['ui/menu.tsx', `t(\`rules.\${kind}\`)`],
      ['features/tool.tsx', "t('editor.save')"],
      ['features/trash.tsx', "t('trash.empty')\nt('editor.save')"],
    ])
    const keys = ['users.title', 'files.open', 'rules.allow', 'editor.save', 'trash.empty']
    expect(checkChunks(sources, keys)).toEqual([
      'en: features/trash.tsx shows editor.save but does not come by lazyTool',
      'en: ui/bar.tsx shows users.title but does not come by lazySettings',
      'en: ui/menu.tsx shows rules. but does not come by lazySettings',
    ])
  })

  it('gives every key the type of its arguments', () => {
    expect(typesOf(ENGLISH)).toContain("'a.b': { name: string }")
    expect(typesOf(ENGLISH)).toContain("'a.c': { n: number }")
  })
})
