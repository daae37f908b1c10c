// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { setLocale } from '../../lib/i18n/index.ts'
import { describeExpiry, type ExpiryInput, NEVER, parseExpiry } from './expiry.ts'

const NOW = new Date('2026-11-21T10:00').getTime()
const typed = (count: string, unit: ExpiryInput['unit'] = 'hours') => parseExpiry({ ...NEVER, count, unit }, NOW)
const on = (date: string) => parseExpiry({ ...NEVER, by: 'date', date }, NOW)

beforeAll(() => setLocale('en'))

describe('the expiry of a share link', () => {
  it('is never without input, or for zero', () => {
    for (const count of ['', '  ', '0', '000']) expect(typed(count)).toEqual({ expires: '', unit: 'hours' })
  })

  it('is a whole number of units, up to the longest the API accepts', () => {
    expect(typed(' 5 ', 'days')).toEqual({ expires: '5', unit: 'days' })
    expect(typed('007')).toEqual({ expires: '7', unit: 'hours' })
    expect(typed('2147483647', 'days')).toEqual({ expires: '2147483647', unit: 'days' })
  })

  it('is refused for anything else', () => {
    for (const count of ['-1', '1.5', '1e3', '5 h', '٣', '2147483648', '99999999999']) {
      expect(typed(count)).toBe('shares.durationWrong')
    }
  })

  it('reaches to the selected time, rounded up', () => {
    expect(on('2026-11-21T10:01')).toEqual({ expires: '60', unit: 'seconds' })
    expect(parseExpiry({ ...NEVER, by: 'date', date: '2026-11-21T10:01' }, NOW + 1)).toEqual({
      expires: '60',
      unit: 'seconds',
    })
  })

  it('uses minutes where the number of seconds would be too large', () => {
    expect(on('2126-11-21T10:00')).toMatchObject({ unit: 'minutes' })
  })

  it('is refused for a past or incomplete time', () => {
    expect(on('2026-11-21T10:00')).toBe('shares.datePast')
    expect(on('')).toBe('shares.dateMissing')
  })
})

describe('its summary', () => {
  const say = (count: string, unit: ExpiryInput['unit'] = 'hours') => {
    const life = typed(count, unit)
    return typeof life === 'string' ? life : describeExpiry(life, NOW).replaceAll('\u202f', ' ')
  }

  it('names today and tomorrow', () => {
    expect(say('1')).toBe('Expires today 11:00 AM.')
    expect(say('27')).toBe('Expires tomorrow 1:00 PM.')
  })

  it('names a later date', () => {
    expect(say('3', 'days')).toBe('Expires Nov 24, 2026, 10:00 AM.')
  })

  it('states that a share link is permanent', () => {
    expect(say('')).toBe('Permanent link.')
  })

  it("counts years beyond the calendar's range", () => {
    expect(say('2147483647', 'days')).toBe('Expires in 5,879,489 years.')
  })
})
