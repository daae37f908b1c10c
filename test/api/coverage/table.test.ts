import { expect, test } from 'vitest'
import { CONTRACT, rowOf } from '../contract.ts'
import { countCases, gapsOf, renderTable } from './table.ts'

test('a call counts for the first row that matches', () => {
  expect(rowOf('GET', '/api/resources/recursive/a')?.section).toBe('3.7')
  expect(rowOf('GET', '/api/resources')?.section).toBe('3.1')
  expect(rowOf('PUT', '/api/users/7')?.route).toBe('/api/users/:id')
  expect(rowOf('GET', '/api/nope')?.section).toBe('1.2')
  expect(rowOf('GET', '/files/a\nb')?.route).toBe('/*')
})

test('a case counts once for each status, however many calls it makes', () => {
  const coverage = countCases([['GET 200 /health', 'GET 200 /health'], ['GET 200 /health']])
  const health = CONTRACT.find(({ route }) => route === '/health')
  expect(health && coverage.get(health)?.get(200)).toBe(2)
  expect(renderTable(coverage, 2)).toContain('| 14 | `GET /health` | **200** 2 |')
})

test('a documented status that no test has received is a gap', () => {
  const gaps = gapsOf(countCases([['GET 200 /static/a.js']]))
  expect(gaps.filter(({ row }) => row.route === '/static/*').map(({ status }) => status)).toEqual([404])
})
