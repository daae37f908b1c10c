// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { matchLanguage, pickLocale, setLocale, t } from './index.ts'

describe('the locale', () => {
  it.each([
    ['uk-UA', 'ua'],
    ['pt-BR', 'pt-br'],
    ['pt', 'pt-br'],
    ['pt-PT', 'pt'],
    ['zh-TW', 'zh-tw'],
    ['zh-HK', 'zh-tw'],
    ['zh-SG', 'zh-cn'],
    ['zh', 'zh-cn'],
    ['de-AT', 'de'],
    ['ar-EG', 'ar'],
    ['sv', 'sv-se'],
    ['nl', 'nl-be'],
  ])('for the browser language %s is %s', (language, code) => {
    expect(matchLanguage(language)).toBe(code)
  })

  it('is none for a language we do not speak, or no language at all', () => {
    expect(matchLanguage('fi')).toBeUndefined()
    expect(matchLanguage('not a tag')).toBeUndefined()
  })

  it("prefers the user's setting, and is English when nothing fits", () => {
    expect(pickLocale('en', ['de'])).toBe('en')
    expect(pickLocale('', ['fi'])).toBe('en')
    expect(pickLocale('xx', [])).toBe('en')
  })
})

describe('texts', () => {
  it('are in the language of the page, which says so', async () => {
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
})
