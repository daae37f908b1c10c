/** The language of subtitles. */
export interface SubtitleLanguage {
  /** BCP 47. */
  tag: string
  /** In the language itself. */
  name: string
}

/** A language tag before the extension, and what players add to it. */
const TAG = /\.([a-z]{2,3}(?:[-_][a-z0-9]{2,8})*)(?:\.(?:forced|sdh|cc|hi))?\.[^.]+$/i

/** The language in the name of a subtitle file such as `film.de.srt`; `undefined` where it names no known one. */
export function subtitleLanguage(fileName: string): SubtitleLanguage | undefined {
  const text = TAG.exec(fileName)?.[1]
  if (text === undefined) return undefined
  try {
    const tag = new Intl.Locale(text.replaceAll('_', '-')).toString()
    const name = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag)
    return name === undefined ? undefined : { tag, name }
  } catch {
    return undefined
  }
}

/** The first subtitles in the language of a user; -1 for none. @param names of their files @param tag BCP 47 */
export function initialTrack(names: readonly string[], tag: string): number {
  const { language } = new Intl.Locale(tag)
  return names.findIndex(name => {
    const own = subtitleLanguage(name)
    return own !== undefined && new Intl.Locale(own.tag).language === language
  })
}
