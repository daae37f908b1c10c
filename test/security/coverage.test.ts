import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFaults, findProofs, renderTable, TABLE } from './coverage.ts'

const proofs = findProofs()

test('every row of the threat plan has a test that names it, or a reason to have none', () => {
  expect(findFaults(proofs)).toEqual([])
})

test('the table of what is covered is the present one (npm run coverage:trust)', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(renderTable(proofs))
})
