// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { OWN_FILES } from '../items/related-urls.ts'
import { sourceOf, targetOf } from './targets.ts'

const CONTEXT = { path: '/docs/a b/read me.md', relatedUrls: OWN_FILES }

test.each([
  ['other.md', 'file', '/files/docs/a%20b/other.md'],
  ['./x/../y.md?raw#part', 'file', '/files/docs/a%20b/y.md'],
  ['../c%23d/', 'file', '/files/docs/c%23d/'],
  ['/root.txt', 'file', '/files/root.txt'],
  ['../../../../x', 'file', '/files/x'],
  ['100%', 'file', '/files/docs/a%20b/100%25'],
  ['#part', 'heading', '#part'],
  ['https://example.org/a', 'away', 'https://example.org/a'],
  ['//example.org/a', 'away', 'https://example.org/a'],
  ['mailto:a@example.org', 'away', 'mailto:a@example.org'],
] as const)('%s leads to a %s', (link, kind, href) => {
  expect(targetOf(link, CONTEXT)).toEqual({ kind, href })
})

test.each(['javascript:alert(1)', 'JavaScript:x', 'data:text/html,x', 'vbscript:x', 'blob:x', 'a%2Fb', 'a%00b'])(
  '%s leads nowhere',
  link => {
    expect(targetOf(link, CONTEXT)).toBeUndefined()
  },
)

test('images come only from the folder of the file', () => {
  expect(sourceOf('img/a%20b.png', CONTEXT)).toBe('/api/raw/docs/a%20b/img/a%20b.png?inline=true')
  expect(
    ['https://example.org/a.png', '//example.org/a.png', 'data:image/png,x', ''].map(link => sourceOf(link, CONTEXT)),
  ).toEqual([undefined, undefined, undefined, undefined])
})

test('a file shared alone has no related files', () => {
  const context = { path: '', relatedUrls: { page: () => undefined, content: () => undefined, subtitles: () => '' } }
  expect(targetOf('other.md', context)).toBeUndefined()
  expect(sourceOf('a.png', context)).toBeUndefined()
})
