// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { setLocale } from '../lib/i18n/index.ts'
import { describeExpiry, NEVER, parseExpiry, suggestedEnd } from './expiry-input.ts'

const NOW = new Date('2026-11-21T10:00').getTime()
const SECOND = NOW / 1000
const on = (date: string, now = NOW) => parseExpiry({ choice: 'date', date }, now)

beforeAll(() => setLocale('en'))

describe('the expiry of a share link', () => {
  it('is never, unless something else is chosen', () => {
    expect(parseExpiry(NEVER, NOW)).toBe(0)
  })

  it('is a number of days from now', () => {
    expect(parseExpiry({ ...NEVER, choice: 1 }, NOW)).toBe(SECOND + 86_400)
    expect(parseExpiry({ ...NEVER, choice: 30 }, NOW)).toBe(SECOND + 30 * 86_400)
  })

  it('stays what it is', () => {
    expect(parseExpiry({ ...NEVER, choice: 'same' }, NOW, 1234)).toBe(1234)
  })

  it('is the selected time', () => {
    expect(on('2026-11-21T10:01')).toBe(SECOND + 60)
    expect(on('2126-11-21T10:00')).toBe(new Date('2126-11-21T10:00').getTime() / 1000)
  })

  it('begins with the last minute of a day when a date is chosen, so that the time needs no change', () => {
    expect(suggestedEnd(NOW)).toBe('2026-11-28T23:59')
    expect(suggestedEnd(new Date('2026-12-28T23:59').getTime())).toBe('2027-01-04T23:59')
  })

  it('is refused for a past or incomplete time', () => {
    expect(on('2026-11-21T10:00')).toBe('shares.datePast')
    expect(on('2026-11-21T09:59')).toBe('shares.datePast')
    expect(on('')).toBe('shares.dateMissing')
  })
})

describe('its summary', () => {
  const say = (seconds: number) => describeExpiry(SECOND + seconds, NOW).replaceAll('\u202f', ' ')

  it('names today and tomorrow', () => {
    expect(say(3600)).toBe('Expires today 11:00 AM.')
    expect(say(27 * 3600)).toBe('Expires tomorrow 1:00 PM.')
  })

  it('names a later date', () => {
    expect(say(3 * 86_400)).toBe('Expires Nov 24, 2026, 10:00 AM.')
  })

  it('states that a share link is permanent', () => {
    expect(describeExpiry(0, NOW)).toBe('Permanent link.')
  })

  it("counts years beyond the calendar's range", () => {
    expect(say(2_147_483_647 * 86_400)).toBe('Expires in 5,879,489 years.')
  })
})
