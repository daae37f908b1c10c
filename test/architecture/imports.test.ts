import { expect, test } from 'vitest'
import { ARROWS, isAllowed, ownFolder, partOf } from './arrows.ts'
import { edgesBetween, resolve, ringsIn, scan } from './imports.ts'

const importsOf = (text: string) => scan('sample.tsx', text).imports
const specifiersOf = (text: string) => importsOf(text).map(found => found.specifier)
const file = (path: string, ...specifiers: string[]) =>
  scan(path, specifiers.map(specifier => `import '${specifier}'\n`).join(''))

test('imports, re-exports, dynamic imports, import types and worker modules are all found', () => {
  const text = `
    import a from './a.ts'
    import './side.ts'
    export * from './b.ts'
    export { c } from './c.ts'
    const d = await import('./d.ts')
    type E = import('./e.ts').E
    new Worker(new URL('./f.ts', import.meta.url))
  `
  expect(specifiersOf(text).sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts', './side.ts'])
})

test('imports in comments, strings, templates, regular expressions and page text are not taken for imports', () => {
  const text = `
    // import a from './a.ts'
    /* import b from './b.ts' */
    const c = "import c from './c.ts'"
    const d = \`import('./d.ts')\`
    const e = /import\\('.\\/e.ts'\\)/
    const f = <p>it's import('./f.ts')</p>
  `
  expect(specifiersOf(text)).toEqual([])
})

test('an import of types only is distinguished from one that also imports a value', () => {
  const only = (text: string) => importsOf(text)[0]?.typeOnly
  expect(only(`import type { A } from './a.ts'`)).toBe(true)
  expect(only(`import { type A } from './a.ts'`)).toBe(true)
  expect(only(`export type { A } from './a.ts'`)).toBe(true)
  expect(only(`import { type A, b } from './a.ts'`)).toBe(false)
  expect(only(`import './a.ts'`)).toBe(false)
})

test('code excludes its comments', () => {
  expect(scan('a.ts', 'const a = "b" // c\n/* d */ const e = 1').code).toBe('const a = "b" \n const e = 1')
})

test('reading the environment is noticed in both spellings', () => {
  expect(scan('a.ts', `const home = process.env.HOME`).readsEnvironment).toBe(true)
  expect(scan('a.ts', `const home = process['env'].HOME`).readsEnvironment).toBe(true)
  expect(scan('a.ts', `const home = settings.env; process.exit()`).readsEnvironment).toBe(false)
})

test('a relative specifier becomes a path from the root, without its query', () => {
  expect(resolve('server/files/files.ts', '../storage/driver.ts')).toBe('server/storage/driver.ts')
  expect(resolve('web/lib/sort.ts', './sort.worker.ts?worker')).toBe('web/lib/sort.worker.ts')
})

test('a ring is reported with its files, a diamond is not one', () => {
  const ring = [file('a.ts', './b.ts'), file('b.ts', './c.ts'), file('c.ts', './a.ts')]
  expect(ringsIn(edgesBetween(ring))).toEqual([['a.ts', 'b.ts', 'c.ts']])
  const diamond = [file('a.ts', './b.ts', './c.ts'), file('b.ts', './d.ts'), file('c.ts', './d.ts'), file('d.ts')]
  expect(ringsIn(edgesBetween(diamond))).toEqual([])
})

test('a feature may not import a storage driver or another feature, but a sibling of its own', () => {
  const from = 'server/features/resources/routes.ts'
  const targets = ARROWS[partOf(from) ?? ''] ?? []
  const allowed = (to: string) => isAllowed({ from, to, typeOnly: false }, targets)
  expect(allowed('server/storage/driver.ts')).toBe(false)
  expect(allowed('server/features/disk-usage/logic.ts')).toBe(false)
  expect(allowed('server/features/resources/logic.ts')).toBe(true)
  expect(allowed('server/features/users/users.store.ts')).toBe(true)
  expect(ownFolder('web/features/files/listing/listing.tsx')).toBe('web/features/files/')
})

test('an arrow for types does not let a value through', () => {
  const edge = { from: 'server/http/app.ts', to: 'server/context.ts', typeOnly: true }
  expect(isAllowed(edge, ['type server/context.ts'])).toBe(true)
  expect(isAllowed({ ...edge, typeOnly: false }, ['type server/context.ts'])).toBe(false)
})
