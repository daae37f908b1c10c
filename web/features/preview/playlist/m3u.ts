/** An entry of a playlist. */
export interface PlaylistEntry {
  /** Where it is, as written: relative to the playlist, a path, or a URL. */
  place: string
  /** Of the line before it, if that names one. */
  title: string | undefined
}

/** The most entries that are read. */
export const MAX_ENTRIES = 1000

/** The entries of a playlist in M3U format, plain or extended, with any line ends. */
export function parseM3u(text: string): PlaylistEntry[] {
  const entries: PlaylistEntry[] = []
  let title: string | undefined
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    if (line.startsWith('#')) {
      title = /^#EXTINF:[^,]*,(.*)$/.exec(line)?.[1]?.trim() || title
    } else if (line !== '') {
      entries.push({ place: line, title })
      title = undefined
      if (entries.length === MAX_ENTRIES) break
    }
  }
  return entries
}

/**
 * The paths that a place may mean, the likelier first: names may contain what is an escape elsewhere.
 * @param folder of the playlist, without a slash at its end; `''` for the root
 * @returns none for a URL, and for a place above the root
 */
export function pathsOf(place: string, folder: string): string[] {
  if (/^[a-z][a-z\d+.-]+:/i.test(place)) return []
  const written = place.replaceAll('\\', '/').replace(/^[a-z]:/i, '')
  const escaped = decoded(written)
  const paths = [written, ...(escaped === undefined || escaped === written ? [] : [escaped])]
  return paths.flatMap(path => resolved(path.startsWith('/') ? path : `${folder}/${path}`) ?? [])
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function resolved(path: string): string | undefined {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined
    } else if (name !== '' && name !== '.') names.push(name)
  }
  return names.length === 0 ? undefined : `/${names.join('/')}`
}
