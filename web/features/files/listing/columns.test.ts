import { describe, expect, test } from 'vitest'
import { DEFAULT_COLUMNS, gridTemplate, HIGHEST_WIDTH, LOWEST_WIDTH, parseColumns, withWidth } from './columns.ts'

describe('stored columns', () => {
  test('are the default ones until some have been stored', () => {
    expect(parseColumns(null)).toBe(DEFAULT_COLUMNS)
  })

  test('are a choice also where they are the default ones, unless they were reset', () => {
    expect(parseColumns('size: modified:')).toEqual(DEFAULT_COLUMNS)
    expect(parseColumns('size: modified:')).not.toBe(DEFAULT_COLUMNS)
    expect(parseColumns('usual')).toBe(DEFAULT_COLUMNS)
  })

  test('keep their order and widths', () => {
    expect(parseColumns('modified: kind:150')).toEqual({ shown: ['modified', 'kind'], widths: { kind: 150 } })
  })

  test('may be none', () => {
    expect(parseColumns('')).toEqual({ shown: [], widths: {} })
  })

  test('lose what is unknown, and have a width within the limits', () => {
    const columns = { shown: ['size', 'kind'], widths: { size: HIGHEST_WIDTH, kind: LOWEST_WIDTH } }
    expect(parseColumns('owner:80 size:9999 size {} kind:1:2 modified :')).toEqual({
      ...columns,
      shown: ['size', 'kind', 'modified'],
    })
  })
})

test('a width is set within the limits, and taken back', () => {
  const wide = withWidth(DEFAULT_COLUMNS, 'size', 10_000)
  expect(wide.widths).toEqual({ size: HIGHEST_WIDTH })
  expect(withWidth(wide, 'size', 3).widths).toEqual({ size: LOWEST_WIDTH })
  expect(withWidth(wide, 'size', undefined)).toEqual(DEFAULT_COLUMNS)
})

test('the template names the columns in their order, with the name before them', () => {
  expect(gridTemplate({ shown: ['modified', 'size'], widths: { size: 90, modified: 200 } })).toBe(
    '"check name modified size menu" 1fr / var(--check) minmax(160px, 1fr) minmax(64px, 200px) minmax(64px, 90px) 32px',
  )
  expect(gridTemplate({ shown: [], widths: {} })).toContain('"check name  menu"')
})
