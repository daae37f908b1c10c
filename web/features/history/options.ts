import { CHANGE_KINDS } from '../../../shared/api/changes.ts'
import { encodePath, type FilePath, ROOT } from '../../../shared/path.ts'
import { instantOf } from '../../lib/day.ts'
import type { ChangesOptions } from '../files/api/changes.ts'

/** What the history shows: a list of changes, between days on the user's clock (`2026-11-28`), each `''` if open. */
export interface HistoryOptions extends Omit<ChangesOptions, 'from' | 'to'> {
  /** The first day. */
  since: string
  /** The last day. */
  until: string
}

export const EVERYTHING: HistoryOptions = { mine: false, path: ROOT, kind: '', user: '', since: '', until: '' }

/** Whether something is left out. */
export const isFiltered = (options: HistoryOptions): boolean =>
  options.mine ||
  options.path !== ROOT ||
  [options.kind, options.user, options.since, options.until].some(part => part !== '')

/** As the calls of changes take it. */
export function changesOf({ since, until, ...options }: HistoryOptions): ChangesOptions {
  return { ...options, from: instantOf(since, 0) ?? '', to: instantOf(until, 1) ?? '' }
}

/** What the query of an address asks for; parts that are not valid are ignored. @param from the folder in that query */
export function optionsIn(query: string, from: FilePath): HistoryOptions {
  const given = new URLSearchParams(query)
  const day = (name: string) => {
    const text = given.get(name) ?? ''
    return instantOf(text, 0) === undefined ? '' : text
  }
  return {
    mine: given.has('mine'),
    path: given.has('here') ? from : ROOT,
    kind: CHANGE_KINDS.find(kind => kind === given.get('kind')) ?? '',
    user: given.get('user') ?? '',
    since: day('since'),
    until: day('until'),
  }
}

/** The inverse: the query of the address, with its `?`, or `''`. */
export function queryOf({ mine, path, ...words }: HistoryOptions, from: FilePath): string {
  const query = new URLSearchParams({
    ...(from !== ROOT && { from: encodePath(from) }),
    ...(path !== ROOT && { here: '' }),
    ...(mine && { mine: '' }),
  })
  for (const [name, word] of Object.entries(words)) if (word !== '') query.set(name, word)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
