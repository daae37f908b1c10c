import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../limits.ts'
import { holds, parseIf, tokensIn } from './if-header.ts'

const TOKEN = 'opaquelocktoken:1'
const state =
  (tokens: readonly string[] = [], etag?: string) =>
  async () => ({ tokens: new Set(tokens), etag })

describe('an If header', () => {
  test('has lists for the resource of the request', () => {
    expect(parseIf(`(<${TOKEN}> ["a"]) (Not <DAV:no-lock>)`)).toEqual([
      {
        resource: undefined,
        conditions: [
          { not: false, token: TOKEN },
          { not: false, etag: '"a"' },
        ],
      },
      { resource: undefined, conditions: [{ not: true, token: 'DAV:no-lock' }] },
    ])
  })

  test('has lists for other resources, each reference with one or more', () => {
    const lists = parseIf(`<http://host/dav/a> (<x:1>) (["b"])</dav/c>(Not ["d"])`)
    expect(lists.map(({ resource }) => resource)).toEqual(['http://host/dav/a', 'http://host/dav/a', '/dav/c'])
  })

  test.each([
    '',
    '(',
    '()',
    '(<x:1>',
    '<x:1>',
    '</a> </b> (<x:1>)',
    '(<x:1>) </a> (<x:1>)',
    '(Not)',
    '(Not Not <x:1>)',
    '(["a)',
    '(<x:1>))',
    '(nothing)',
    `(<${'x'.repeat(LIMITS.ifHeader)}>)`,
    `(${'<x:1>'.repeat(LIMITS.ifConditions + 1)})`,
  ])('is refused as %j', text => {
    expect(() => parseIf(text)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  test('with a hundred thousand brackets is refused in time', () => {
    expect(() => parseIf('(<'.repeat(LIMITS.ifHeader / 2))).toThrow()
  })
})

describe('conditions', () => {
  test.each<[header: string, tokens: readonly string[], etag: string | undefined, met: boolean]>([
    [`(<${TOKEN}>)`, [TOKEN], undefined, true],
    [`(<${TOKEN}>)`, [], undefined, false],
    [`(<${TOKEN}> ["a"])`, [TOKEN], '"a"', true],
    [`(<${TOKEN}> ["a"])`, [TOKEN], '"b"', false],
    [`(<${TOKEN}> ["a"]) (Not <DAV:no-lock> ["b"])`, [TOKEN], '"b"', true],
    ['(Not <DAV:no-lock>)', [], undefined, true],
    ['(<DAV:no-lock>)', [TOKEN], undefined, false],
    ['(["a"])', [], undefined, false],
  ])('%s with %j and %j: %s', async (header, tokens, etag, met) => {
    expect(await holds(parseIf(header), state(tokens, etag))).toBe(met)
  })

  test('of another resource are compared with that one', async () => {
    const asked: (string | undefined)[] = []
    const stateOf = async (resource: string | undefined) => {
      asked.push(resource)
      return { tokens: new Set(resource === '/dav/b' ? [TOKEN] : []), etag: undefined }
    }
    expect(await holds(parseIf(`</dav/a> (<${TOKEN}>) </dav/b> (<${TOKEN}>)`), stateOf)).toBe(true)
    expect(asked).toEqual(['/dav/a', '/dav/b'])
  })
})

test('tokens are submitted wherever they are in the header', () => {
  expect([...tokensIn(parseIf('</dav/a> (<x:1>) </dav/b> (Not <x:2> ["e"]) (<x:1>)'))]).toEqual(['x:1', 'x:2'])
})
