import { expect, test } from 'vitest'
import { nameOfSearch } from './facet-labels.ts'

test.each([
  ['invoice', 'invoice'],
  ['modified:2024-01-01..2024-12-31 tag:"to pay" invoice', 'invoice\u00A0· 2024\u00A0· to pay'],
  ['size:<1MB saga', 'saga\u00A0· <1MB'],
  ['case:sensitive content:"two words" type:docx', 'two words docx'],
  ['case:sensitive', 'case:sensitive'],
])('a search for %j is called %j', (query, name) => {
  expect(nameOfSearch(query)).toBe(name)
})
