import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFaults, findProofs, renderTable, TABLE } from './coverage.ts'

const proofs = findProofs()

test('every row of the threat plan has a test that names it, or a reason to have none', () => {
  expect(findFaults(proofs)).toEqual([])
})

test('the coverage table is up to date (npm run coverage:trust)', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(renderTable(proofs))
})
