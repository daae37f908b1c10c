// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { setLocale } from '../../lib/i18n/index.ts'
import { describeLife, type LifeChoice, lifeOf, NO_END } from './expiry.ts'

const NOW = new Date('2026-11-21T10:00').getTime()
const typed = (count: string, unit: LifeChoice['unit'] = 'hours') => lifeOf({ ...NO_END, count, unit }, NOW)
const on = (date: string) => lifeOf({ ...NO_END, by: 'date', date }, NOW)

beforeAll(() => setLocale('en'))

describe('how long a link lasts', () => {
  it('is for ever when nothing, or zero, was typed', () => {
    for (const count of ['', '  ', '0', '000']) expect(typed(count)).toEqual({ expires: '', unit: 'hours' })
  })

  it('is a whole number of units, up to the longest the wire knows', () => {
    expect(typed(' 5 ', 'days')).toEqual({ expires: '5', unit: 'days' })
    expect(typed('007')).toEqual({ expires: '7', unit: 'hours' })
    expect(typed('2147483647', 'days')).toEqual({ expires: '2147483647', unit: 'days' })
  })

  it('is refused when it is anything else', () => {
    for (const count of ['-1', '1.5', '1e3', '5 h', '٣', '2147483648', '99999999999']) {
      expect(typed(count)).toBe('shares.durationWrong')
    }
  })

  it('reaches to the moment that was chosen, rounded up', () => {
    expect(on('2026-11-21T10:01')).toEqual({ expires: '60', unit: 'seconds' })
    expect(lifeOf({ ...NO_END, by: 'date', date: '2026-11-21T10:01' }, NOW + 1)).toEqual({
      expires: '60',
      unit: 'seconds',
    })
  })

  it('counts minutes where the seconds would be too many', () => {
    expect(on('2126-11-21T10:00')).toMatchObject({ unit: 'minutes' })
  })

  it('is refused for a moment that is over or incomplete', () => {
    expect(on('2026-11-21T10:00')).toBe('shares.datePast')
    expect(on('')).toBe('shares.dateMissing')
  })
})

describe('the words for it', () => {
  const say = (count: string, unit: LifeChoice['unit'] = 'hours') => {
    const life = typed(count, unit)
    return typeof life === 'string' ? life : describeLife(life, NOW).replaceAll('\u202f', ' ')
  }

  it('name today and tomorrow', () => {
    expect(say('1')).toBe('Expires today 11:00 AM.')
    expect(say('27')).toBe('Expires tomorrow 1:00 PM.')
  })

  it('name the date beyond', () => {
    expect(say('3', 'days')).toBe('Expires Nov 24, 2026, 10:00 AM.')
  })

  it('say that a link is permanent', () => {
    expect(say('')).toBe('Permanent link.')
  })

  it('count years where no calendar reaches', () => {
    expect(say('2147483647', 'days')).toBe('Expires in 5,879,489 years.')
  })
})
