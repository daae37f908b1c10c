import { expect, test } from 'vitest'
import { parseQuery, routableUrl } from './address.ts'

test.each([
  ['/api/raw/caf%C3%A9?x=%E9', '/api/raw/caf%C3%A9?x=%E9'],
  ['/api/raw/caf%E9/%C3?x=%E9', '/api/raw/caf%EF%BF%BD/%EF%BF%BD?x=%E9'],
  ['/api/raw/%zz%E9', '/api/raw/%zz%E9'],
  ['/api/raw/plain', '/api/raw/plain'],
])('the router is shown %s as %s', (url, shown) => {
  expect(routableUrl({ url })).toBe(shown)
})

test('a query is decoded once, to the bytes', () => {
  expect({ ...parseQuery('a=1+%2B&b=caf%E9&c&a=%25E9&d=x=y&e=100%&=z') }).toEqual({
    a: ['1 +', '%E9'],
    b: 'caf\udce9',
    c: '',
    d: 'x=y',
    e: '100%',
    '': 'z',
  })
})

test('a parameter named like a property of every object is a parameter', () => {
  expect(Object.keys(parseQuery('__proto__=1&constructor=2'))).toEqual(['__proto__', 'constructor'])
})
