import { expect, test } from 'vitest'
import { initialTrack, subtitleLanguage } from './subtitle-language.ts'

test('the language of subtitles is read from the name of their file, and named in itself', () => {
  expect(subtitleLanguage('Birthday party 2024.de.srt')).toEqual({ tag: 'de', name: 'Deutsch' })
  expect(subtitleLanguage('film.pt_BR.vtt')).toEqual({ tag: 'pt-BR', name: 'português (Brasil)' })
  expect(subtitleLanguage('film.en.forced.srt')?.tag).toBe('en')
})

test('a name without a known language has none', () => {
  for (const name of ['film.srt', 'film.2024.srt', 'film.cut.srt', 'film.zzz.srt', 'a']) {
    expect(subtitleLanguage(name)).toBeUndefined()
  }
})

test('subtitles are on in the language of the user, in whatever region', () => {
  const names = ['film.fr.srt', 'film.pt_BR.srt', 'film.pt.srt', 'film.srt']
  expect(['pt', 'pt-BR', 'fr-CA', 'de', 'ar'].map(tag => initialTrack(names, tag))).toEqual([1, 1, 0, -1, -1])
})
