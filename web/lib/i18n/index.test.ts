// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../../../shared/locales.ts'
import { loadLaterTexts, setLocale, t } from './index.ts'
import { matchLanguage, pickLocale } from './pick.ts'

describe('the locale', () => {
  it.each([
    ['uk-UA', 'ua'],
    ['pt-BR', 'pt-br'],
    ['pt', 'pt-br'],
    ['pt-PT', 'pt'],
    ['pt-AO', 'pt'],
    ['zh-TW', 'zh-tw'],
    ['zh-HK', 'zh-tw'],
    ['zh-Hant', 'zh-tw'],
    ['zh-Hant-CN', 'zh-tw'],
    ['zh-Hans-HK', 'zh-cn'],
    ['zh-SG', 'zh-cn'],
    ['zh', 'zh-cn'],
    ['de-AT', 'de'],
    ['ar-EG', 'ar'],
    ['sv', 'sv-se'],
    ['nl', 'nl-be'],
    ['nl-NL', 'nl-be'],
    ['sv-FI', 'sv-se'],
    ['uk', 'ua'],
    ['es-419', 'es'],
    ['en-GB', 'en'],
    ['pt-MZ', 'pt'],
    ['zh-MO', 'zh-tw'],
    ['zh-Hant-HK', 'zh-tw'],
    ['zh-Hans', 'zh-cn'],
  ])('for the browser language %s is %s', (language, code) => {
    expect(matchLanguage(language)).toBe(code)
  })

  it('is undefined for an unsupported or an invalid language', () => {
    for (const language of ['fi', 'nb-NO', 'nn', 'no', 'da', 'ua']) expect(matchLanguage(language)).toBeUndefined()
    expect(matchLanguage('not a tag')).toBeUndefined()
  })

  it("prefers the user's setting, and falls back to English", () => {
    expect(pickLocale('en', ['de'])).toBe('en')
    expect(pickLocale('', ['fi'])).toBe('en')
    expect(pickLocale('xx', [])).toBe('en')
    expect(pickLocale('pt', ['pt-BR'])).toBe('pt')
    expect(pickLocale('', ['nb-NO', 'is-IS', 'en'])).toBe('is')
  })

  it('resolves other tags of a language in the setting, and skips an unsupported one', () => {
    expect(pickLocale('uk', ['de'])).toBe('ua')
    expect(pickLocale('pt-PT', ['de'])).toBe('pt')
    expect(pickLocale('he', ['fr-CA'])).toBe('fr')
  })

  it.each(LOCALES.map(({ code, tag }) => [tag, code]))('is matched for a browser language of %s', (tag, code) => {
    expect(pickLocale('', ['fi', tag])).toBe(code)
  })

  it('is the pseudo-locale for a browser that requests it', () => {
    expect(pickLocale('', ['ar-XB'])).toBe('pseudo')
  })
})

describe('texts', () => {
  it('are in the language of the page, which declares it', async () => {
    await setLocale('en')
    expect(document.documentElement.lang).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
    expect(t('auth.wrongCredentials')).toBe('Wrong credentials')
  })

  it('have plurals', async () => {
    await setLocale('en')
    expect(t('auth.tooManyAttempts', { seconds: 1 })).toContain('1 second.')
    expect(t('auth.tooManyAttempts', { seconds: 1200 })).toContain('1,200 seconds.')
  })

  it('isolate a name of the opposite direction', async () => {
    await setLocale('en')
    expect(t('filter.nothing', { text: 'a (1).txt' })).toBe('No items match “a (1).txt”')
    expect(t('filter.nothing', { text: 'דוח (1).txt' })).toBe('No items match “\u2068דוח (1).txt\u2069”')
    await setLocale('ar')
    expect(t('filter.nothing', { text: 'a (1).txt' })).toBe('لا شيء هنا باسم «\u2068a (1).txt\u2069»')
  })

  it('are longer and right-to-left in the pseudo-locale', async () => {
    await setLocale('pseudo')
    expect(document.documentElement.dir).toBe('rtl')
    expect(t('common.cancel')).toBe('[Çåñçéļ öñé]')
    expect(t('files.count', { count: 2 })).toMatch(/^\[2 îţéɱš /)
  })

  it('are in the language set last', async () => {
    await Promise.all([setLocale('pseudo'), setLocale('en')])
    expect(t('common.cancel')).toBe('Cancel')
  })

  it('of tools load when a tool needs them, and from then on in every language', async () => {
    await setLocale('en')
    const [chosen] = await Promise.all([setLocale('pseudo'), loadLaterTexts('tools')])
    expect(chosen).toBeUndefined()
    expect(t('editor.overwrite')).toMatch(/^\[/)
    await setLocale('en')
    expect(t('editor.overwrite')).not.toMatch(/^\[|^editor/)
  })
})
