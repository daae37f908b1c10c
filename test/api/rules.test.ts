import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { configure, EVERYTHING, enrol, type NewPerson, PASSWORD, whole } from './people.ts'
import { snapshot } from './snapshot.ts'
import { DENIED_MARKER, expectNoLeak, plant } from './tree.ts'

const may = EVERYTHING
const server = await openInstance()
const { path: scope, disk } = await corner(server)
await plant(disk, join(disk, 'home'))
await configure(server, { rules: [whole({ path: '/docs/private' })] })
const population: NewPerson[] = [
  { name: 'path', may, rules: [{ allow: false, path: '/deny' }] },
  { name: 'regex', may, rules: [{ allow: false, regex: true, regexp: { raw: '^/deny(/|$)' } }] },
  { name: 'slow', may, rules: [{ allow: false, regex: true, regexp: { raw: '^/(a+)+$' } }] },
  { name: 'allowed', may, rules: [{ allow: true, path: '/docs/private' }] },
  {
    name: 'locked',
    may,
    rules: [
      { allow: false, path: '/' },
      { allow: true, path: '/docs' },
    ],
  },
  { name: 'neat', may, hideDotfiles: true },
  { name: 'chief', may: [...may, 'admin'] },
]
await enrol(
  server,
  population.map(one => ({ ...one, scope: `${scope}/home` })),
)
const people = Object.fromEntries(
  await Promise.all(population.map(async ({ name }) => [name, await person(server, name, PASSWORD)] as const)),
)
const as = (name: string) => {
  const found = people[name]
  if (!found) throw new Error(`there is no user ${name}`)
  return found
}
const names = (answer: Answer): string[] => json(answer).items.map((item: { name: string }) => item.name)
const visible = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')),
})

test.each(['path', 'regex'])('a folder denied by a %s rule is hidden in listings and in their counts', async name => {
  const listing = await as(name).get('/')
  expect(names(listing)).not.toContain('deny')
  expect(names(listing)).toContain('docs-2')
  expectNoLeak(listing, DENIED_MARKER)
  const { items, numDirs, numFiles } = json(listing)
  expect(items).toHaveLength(numDirs + numFiles)
})

test.each(['path', 'regex'])(
  'RULE-04 a path denied by a %s rule is refused the same way whether or not it exists',
  async name => {
    const before = await snapshot(disk)
    const who = as(name)
    const acts = [
      (path: string) => who.get(path),
      (path: string) => who.raw(path),
      (path: string) => who.usage(path),
      (path: string) => who.put(path, 'x'),
      (path: string) => who.put(path, 'x', '?override=true'),
      (path: string) => who.put(`${path}/`),
      (path: string) => who.remove(path),
    ]
    for (const act of acts) {
      const [there, missing] = [await act('/deny/secret.txt'), await act('/deny/nothing')]
      expect(there.status).toBe(403)
      expect(visible(there)).toEqual(visible(missing))
      expectNoLeak(there, DENIED_MARKER)
    }
    expect(await snapshot(disk)).toEqual(before)
  },
)

test('PATH-11 a rule ends at a folder’s name, not within it', async () => {
  expect((await as('path').get('/docs-2/x.txt')).status).toBe(200)
})

test('global rules apply to administrators too', async () => {
  expect((await as('chief').get('/docs/private/p.txt')).status).toBe(403)
  expect(names(await as('chief').get('/docs'))).toEqual(['one.txt'])
})

test('RULE-01 a user’s own rule overrides a global one', async () => {
  expect((await as('allowed').raw('/docs/private/p.txt')).text).toBe('p')
})

test('RULE-01 the last rule that matches decides', async () => {
  expect((await as('locked').get('/docs/one.txt')).status).toBe(200)
  expect((await as('locked').get('/a.txt')).status).toBe(403)
})

test('REDOS-01 a rule with catastrophic backtracking elsewhere is evaluated at once', async () => {
  const path = `/${'a'.repeat(200)}!`
  const began = performance.now()
  expect((await as('slow').get(path)).status).toBe(404)
  expect(performance.now() - began).toBeLessThan(15_000)
})

test('RULE-01 hidden names are unavailable to users who hide them, on every level', async () => {
  const neat = as('neat')
  expect(names(await neat.get('/'))).not.toContain('.hidden')
  expect((await neat.get('/.hidden')).status).toBe(403)
  expect((await neat.put('/.new', 'x')).status).toBe(403)
  expect((await neat.put('/.new/inner.txt', 'x')).status).toBe(403)
  expect(names(await as('path').get('/'))).toContain('.hidden')
})

test('RULE-02 a folder cannot be deleted while it contains a denied entry', async () => {
  const before = await snapshot(disk)
  expect((await as('path').remove('/docs')).status).toBe(403)
  expect(await snapshot(disk)).toEqual(before)
})
