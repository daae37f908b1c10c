import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ARROWS,
  BUCKETS,
  ENVIRONMENT_READER,
  HTTP_CLIENTS,
  isAllowed,
  isExempt,
  isIn,
  LONGEST_FILE,
  ONLY_IN,
  partOf,
  STORAGE,
  UNCHECKED,
} from './architecture/arrows.ts'
import { type Edge, edgesBetween, readSources, ringsIn } from './architecture/imports.ts'

const files = readSources(['server', 'shared', 'web'])
const scripts = files.filter(file => !file.path.endsWith('.css'))
const edges = edgesBetween(scripts)
const product = scripts.filter(file => !isExempt(file.path))
const productEdges = edges.filter(edge => !isExempt(edge.from))

const show = (edge: Edge) => `${edge.from} → ${edge.to}${edge.typeOnly ? ' (types)' : ''}`

describe('arrows', () => {
  for (const [part, targets] of Object.entries(ARROWS)) {
    test(`${part} imports nothing but itself, the shared things and: ${targets.join(', ') || 'nothing else'}`, () => {
      const leaving = productEdges.filter(edge => partOf(edge.from) === part)
      expect(leaving.filter(edge => !isAllowed(edge, targets)).map(show)).toEqual([])
    })
  }

  test('every file belongs to a part of the table', () => {
    expect(product.filter(file => partOf(file.path) === undefined).map(file => file.path)).toEqual([])
  })

  test('only context.ts imports a concrete storage driver', () => {
    const concrete = productEdges.filter(
      edge => isIn(edge.to, STORAGE.folder) && edge.to !== STORAGE.contract && !isIn(edge.from, STORAGE.folder),
    )
    const isCrawlers = ({ from, to }: Edge) => isIn(from, 'server/search-index/') && STORAGE.crawlers.includes(to)
    const others = concrete.filter(edge => edge.from !== STORAGE.user && edge.to !== STORAGE.registry)
    expect(others.filter(edge => !isCrawlers(edge)).map(show)).toEqual([])
  })

  test(`only ${BUCKETS.places.join(', ')} know of buckets`, () => {
    const elsewhere = product.filter(file => !BUCKETS.places.some(place => isIn(file.path, place)))
    const asking = elsewhere.filter(file => isIn(file.path, 'server/') || isIn(file.path, 'shared/'))
    expect(asking.filter(file => BUCKETS.word.test(file.code)).map(file => file.path)).toEqual([])
    const inDriver = (path: string) => isIn(path, 'server/storage/s3/') || path === 'server/storage/s3.ts'
    const edgesIn = productEdges.filter(edge => inDriver(edge.to) && !inDriver(edge.from))
    expect([...new Set(edgesIn.map(edge => edge.from))]).toEqual([STORAGE.registry])
  })

  test('no test helper or conformance suite is imported by the product', () => {
    expect(productEdges.filter(edge => isExempt(edge.to)).map(show)).toEqual([])
  })

  test('there is no ring of imports, not even of types', () => {
    expect(ringsIn(edges).map(ring => ring.join(' → '))).toEqual([])
  })

  test('no folder imports itself by way of another; a folder and the folders in it count as one', () => {
    const isAcross = ({ from, to }: Edge) => !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`)
    const folderEdges = productEdges.map(edge => ({ ...edge, from: dirname(edge.from), to: dirname(edge.to) }))
    expect(ringsIn(folderEdges.filter(isAcross))).toEqual([])
  })
})

describe('what is reached for outside', () => {
  for (const [name, places] of Object.entries(ONLY_IN)) {
    test(`${name} is imported only in ${places.join(', ')}`, () => {
      const users = product.filter(file =>
        file.imports.some(({ specifier }) => {
          const bare = specifier.startsWith('node:') ? specifier : `node:${specifier}`
          return bare === name || bare.startsWith(`${name}/`)
        }),
      )
      expect(users.filter(file => !places.some(place => isIn(file.path, place))).map(file => file.path)).toEqual([])
    })
  }

  test(`only ${UNCHECKED.place} loads ${UNCHECKED.module}, in whatever way, and only its folder imports it`, () => {
    const naming = product.filter(
      file => file.code.includes(UNCHECKED.module) || file.code.includes('getBuiltinModule'),
    )
    expect(naming.map(file => file.path)).toEqual([UNCHECKED.place])
    const users = productEdges.filter(edge => edge.to === UNCHECKED.place).map(edge => dirname(edge.from))
    expect([...new Set(users)]).toEqual([dirname(UNCHECKED.place)])
  })

  test(`NET-05 only ${HTTP_CLIENTS.join(', ')} call other servers by HTTP`, () => {
    const client =
      /import (?!type\b)(?:\w+|\* as \w+|\{[^}]*(?<!type )\b(?:request|get|Agent)\b[^}]*\}) from 'node:https?'|\bawait fetch\(|globalThis\.fetch|from 'undici'/
    const callers = product.filter(file => isIn(file.path, 'server/') && client.test(file.code))
    expect(callers.filter(file => !HTTP_CLIENTS.some(place => isIn(file.path, place))).map(file => file.path)).toEqual(
      [],
    )
    for (const place of HTTP_CLIENTS) expect(callers.some(file => isIn(file.path, place))).toBe(true)
  })

  test('shared/ uses no package but zod/mini', () => {
    const foreign = product
      .filter(file => isIn(file.path, 'shared/'))
      .flatMap(file => file.imports.map(found => `${file.path}: ${found.specifier}`))
    expect(foreign.filter(line => !/: (?:\.{1,2}\/|zod\/mini$)/.test(line))).toEqual([])
  })

  test(`only ${ENVIRONMENT_READER} reads environment variables`, () => {
    const readers = product.filter(
      file => file.readsEnvironment || file.imports.some(({ specifier }) => specifier === 'node:process'),
    )
    expect(readers.map(file => file.path).filter(path => path !== ENVIRONMENT_READER)).toEqual([])
  })
})

test(`no file is longer than ${LONGEST_FILE} lines`, () => {
  expect(files.filter(file => file.lines > LONGEST_FILE).map(file => `${file.path}: ${file.lines}`)).toEqual([])
})
