import { describe, expect, it } from 'vitest'
import { FALLBACK_CONFIG, readPageConfig } from './config.ts'

describe('the page configuration', () => {
  it('is taken as the server wrote it', () => {
    const given = { ...FALLBACK_CONFIG, Name: 'Home & Co', BaseURL: '/fm', Signup: true, Theme: 'dark' }
    expect(readPageConfig(JSON.stringify(given))).toEqual(given)
  })

  it.each(['', '{', 'null', '[]', '"x"'])('falls back as a whole when the text is %j', text => {
    expect(readPageConfig(text)).toEqual(FALLBACK_CONFIG)
  })

  it('falls back field by field', () => {
    const config = readPageConfig(
      '{"Name":"A","Signup":"yes","Theme":"pink","AuthMethod":"magic","TusSettings":{"chunkSize":-1}}',
    )
    expect(config).toEqual({ ...FALLBACK_CONFIG, Name: 'A' })
  })

  it.each([
    ['/', ''],
    ['', ''],
    ['/fm/', '/fm'],
    ['fm', '/fm'],
    ['//evil.example', '/evil.example'],
  ])('reads the base %j as %j', (given, base) => {
    expect(readPageConfig(JSON.stringify({ BaseURL: given })).BaseURL).toBe(base)
  })
})
