import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { REPO } from './follow.ts'

const PACKAGES = ['package.json', 'package-lock.json', 'client/package.json']
const CHART = 'deploy/helm/filigree/Chart.yaml'
const TEMPLATES = [
  'deploy/apps/umbrel/umbrel-app.yml',
  ...['home-assistant', 'home-assistant-ingress'].map(name => `deploy/apps/${name}/config.yaml`),
  CHART,
]

/** A copy of the files that a new version changes, with this changelog or the project's own. */
function copy(changelog = readFileSync(join(REPO, 'CHANGELOG.md'), 'utf8')) {
  const folder = mkdtempSync(join(tmpdir(), 'filigree-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of [...PACKAGES, ...TEMPLATES]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(REPO, path), join(folder, path))
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { read, run: (what: string) => version(what, folder) }
}

function version(...args: string[]): Promise<{ said: string; error: string }> {
  const script = join(REPO, 'scripts/version.mjs')
  return new Promise(resolve =>
    execFile(process.execPath, [script, ...args], (_, said, error) => resolve({ said, error })),
  )
}

test('a new version takes what the changelog has under "Unreleased", and every package and template gets its number', async () => {
  const { read, run } = copy()
  const [, before = ''] = read('CHANGELOG.md').split('## [Unreleased]')
  expect((await run('7.8.9')).error).toContain('Version 7.8.9.')
  const day = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [7.8.9] - ${day}${before.split('\n## ')[0]}`)
  for (const path of PACKAGES) expect(JSON.parse(read(path)).version, path).toBe('7.8.9')
  for (const path of TEMPLATES) expect(parse(read(path)).version, path).toBe('7.8.9')
  expect(parse(read(CHART)).appVersion).toBe('7.8.9')
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe('7.8.9')
  const changed = read('package-lock.json').replaceAll('"version": "7.8.9"', '"version": "0.1.0"')
  expect(changed).toBe(readFileSync(join(REPO, 'package-lock.json'), 'utf8'))
  const notes = await run('--notes')
  expect(notes.error).toBe('')
  expect(notes.said.trim()).toBe((before.split('\n## ')[0] ?? '').trim())
})

test('no release is made of a version whose changes are not in the changelog, or of one that leaves changes out', async () => {
  expect((await copy().run('--notes')).error).toContain('has no changes of')
  const { version: present } = JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8'))
  const left = `# Changelog\n\n## [Unreleased]\n\n- Late.\n\n## [${present}] - 2026-01-02\n\n- Early.\n`
  expect((await copy(left).run('--notes')).error).toContain('has changes under "Unreleased"')
  const whole = `${left.replace('- Late.\n\n', '')}\n## [0.0.1] - 2025-01-01\n\n- First.\n`
  expect((await copy(whole).run('--notes')).said).toBe('- Early.\n')
})

test('a version needs changes of its own, and a number', async () => {
  const { read, run } = copy('# Changelog\n\n## [Unreleased]\n')
  expect((await run('7.8.9')).error).toContain('no unreleased changes')
  expect((await run('next')).error).toContain('Name the version')
  expect(read('CHANGELOG.md')).toBe('# Changelog\n\n## [Unreleased]\n')
})

test('the workflow of a release takes its text from the changelog', () => {
  const workflow = readFileSync(join(REPO, '.github/workflows/release.yml'), 'utf8')
  expect(workflow).toMatch(/version\.mjs --notes >(\S+)\n[\s\S]*gh release create .*--notes-file \1 /)
})
