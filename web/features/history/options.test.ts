import { describe, expect, it } from 'vitest'
import { parsePath, ROOT } from '../../../shared/path.ts'
import { changesOf, EVERYTHING, type HistoryOptions, optionsIn, queryOf } from './options.ts'

const docs = parsePath('/docs & co')

describe('what the history shows', () => {
  it('is in the address, and is read from it again', () => {
    const options: HistoryOptions = {
      mine: true,
      path: docs,
      kind: 'delete',
      user: 'Åsa & co',
      since: '2026-11-01',
      until: '2026-11-28',
    }
    expect(optionsIn(queryOf(options, docs), docs)).toEqual(options)
    expect(queryOf(EVERYTHING, ROOT)).toBe('')
    expect(optionsIn('', ROOT)).toEqual(EVERYTHING)
  })

  it('ignores parts of an address that are not valid', () => {
    expect(optionsIn('?kind=everything&since=yesterday&until=2026-1-1', ROOT)).toEqual(EVERYTHING)
  })

  it('has the whole last day, on the clock of the user', () => {
    const { from, to } = changesOf({ ...EVERYTHING, since: '2026-11-28', until: '2026-11-28' })
    expect(from).toBe(new Date(2026, 10, 28).toISOString())
    expect(to).toBe(new Date(2026, 10, 29).toISOString())
  })
})
