import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const REPO = fileURLToPath(new URL('../..', import.meta.url))
const BASE = '/pages/filigree/'
/** The tools of site/ are installed first, and a busy machine builds for minutes. */
const PATIENCE_MS = 600_000

const site = mkdtempSync(join(tmpdir(), 'filigree-site-'))
let pages: Map<string, string>

beforeAll(async () => {
  const built = await script('build-site.mjs', ['--outDir', site])
  expect(built, built.output).toMatchObject({ code: 0 })
  const files = globSync('**/*.html', { cwd: site })
  pages = new Map(files.map(path => [path, readFileSync(join(site, path), 'utf8')]))
}, PATIENCE_MS)
afterAll(() => rmSync(site, { recursive: true, force: true }))

test('npm run site makes a page of each document in the table of contents, with a title and the menu', () => {
  const contents = readFileSync(join(REPO, 'docs/README.md'), 'utf8')
  const documents = [...contents.matchAll(/^- \[[^\]]+\]\(([^)]+)\.md\)$/gm)].map(([, path = '']) => path)
  const expected = documents.map(path => `${path.replace(/README$/, 'index')}.html`)
  expect(expected.length).toBeGreaterThan(40)
  expect(expected.filter(path => !pages.has(path))).toEqual([])
  for (const path of ['index.html', ...expected]) {
    const page = pages.get(path) ?? ''
    expect(page, path).toMatch(/<h1\b[^>]*>[^<]/)
    expect(page, path).toContain(`href="${BASE}install"`)
  }
})

test('every link, image and script of the site has a target, below any base path, and every anchor is on its page', () => {
  const broken = [...pages].flatMap(([path, page]) =>
    path === '404.html' ? [] : addressesIn(page).flatMap(address => problemWith(path, address)),
  )
  expect(broken).toEqual([])
})

test('the search of the site has an index with the text of the pages', () => {
  const [index = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: site })
  const words = readFileSync(join(site, index), 'utf8')
  for (const word of ['bubblewrap', 'quota', 'caddyfile']) expect(words).toContain(word)
})

test('Spectral reports what is wrong with a description', { timeout: PATIENCE_MS }, async () => {
  const info = { title: 'A small one', version: '1', description: 'With a tag that has no description.' }
  const wrong = { openapi: '3.1.0', info, servers: [{ url: '/' }], tags: [{ name: 'files' }], paths: {} }
  const linted = await script('lint-description.mjs', [], JSON.stringify(wrong))
  expect(linted.code).toBe(1)
  expect(linted.output).toContain('tag-description: Tag object must have "description". (tags/0)\n')
})

async function script(name: string, args: string[], input = '') {
  const child = spawn(process.execPath, [join(REPO, 'scripts', name), ...args], {
    env: { ...process.env, SITE_BASE: BASE },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: output + errors }
}

function addressesIn(page: string): string[] {
  const found = page.matchAll(/ (?:href|src)="([^"]*)"/g)
  return [...new Set([...found].map(([, address = '']) => address.replaceAll('&amp;', '&')))]
}

/** What is wrong with an address on a page: nothing with those of other sites. */
function problemWith(from: string, address: string): string[] {
  if (/^(?:[a-z]+:|\/\/)/i.test(address)) return []
  const url = new URL(address, `http://here${BASE}${from.replace(/(?:index)?\.html$/, '')}`)
  const complaint = `${from}: ${address}`
  if (!url.pathname.startsWith(BASE)) return [complaint]
  const path = decodeURIComponent(url.pathname.slice(BASE.length))
  const page = pages.get(path === '' || path.endsWith('/') ? `${path}index.html` : `${path}.html`) ?? pages.get(path)
  if (page === undefined) return isFile(join(site, path)) ? [] : [complaint]
  const anchor = decodeURIComponent(url.hash.slice(1))
  return anchor === '' || page.includes(` id="${anchor}"`) ? [] : [complaint]
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
