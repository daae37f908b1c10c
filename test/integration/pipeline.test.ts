import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const REPO = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${REPO}${path}`, 'utf8')
const { scripts } = JSON.parse(read('package.json'))

interface Step {
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
interface Job {
  needs?: string | string[]
  uses?: string
  if?: string
  steps?: Step[]
  strategy?: { matrix: { include?: { target?: string }[] } }
}

const FLOWS = readdirSync(`${REPO}.github/workflows`)
const jobsOf = (name: string): Record<string, Job> => parse(read(`.github/workflows/${name}`), { strict: true }).jobs
const jobs = FLOWS.flatMap(name => Object.values(jobsOf(name)))
const commands = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []))
const npmIn = (text: string) => [...text.matchAll(/\bnpm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name)

test('workflows call scripts of this project only, and valid shell', () => {
  expect(commands.flatMap(npmIn).filter(name => scripts[name] === undefined)).toEqual([])
  for (const command of commands)
    expect([command, spawnSync('bash', ['-n', '-c', command]).status]).toEqual([command, 0])
})

test('the workflow of each change runs what .ci/run runs', () => {
  const steps = Object.values(jobsOf('check.yml')).flatMap(({ steps: all = [] }) =>
    all.flatMap(({ run = '' }) => npmIn(run)),
  )
  expect(steps).toEqual(npmIn(read('.ci/run')))
})

test('jobs need jobs of the same workflow, and reusable workflows exist', () => {
  for (const name of FLOWS) {
    const all = jobsOf(name)
    const needed = Object.values(all).flatMap(({ needs = [] }) => needs)
    expect(needed.filter(job => all[job] === undefined)).toEqual([])
  }
  const local = jobs.flatMap(({ uses }) => uses ?? [])
  expect(local.filter(path => !existsSync(`${REPO}${path}`))).toEqual([])
})

test('the site is published where the repository says so, below the address of its own pages', () => {
  const { site } = jobsOf('site.yml')
  expect(site?.if).toBe("vars.PUBLISH_SITE == 'true'")
  const build = site?.steps?.find(({ run }) => run === 'npm run site')
  expect(build?.env?.SITE_BASE).toMatch(/^\$\{\{ steps\.pages\.outputs\.base_path \}\}\/$/)
  expect(read('site/.vitepress/config.mjs')).toMatch(/const BASE = process\.env\.SITE_BASE \?\? [\s\S]* base: BASE,/)
})

test('each edition of the image is a stage of the Dockerfile', () => {
  const stages = [...read('Dockerfile').matchAll(/^FROM .* AS (\w+)$/gm)].map(([, stage]) => stage)
  const targets = jobs.flatMap(({ strategy }) => strategy?.matrix.include?.flatMap(({ target }) => target ?? []) ?? [])
  expect(targets).toEqual(['plain', 'full'])
  expect(targets.filter(target => !stages.includes(target))).toEqual([])
})

test('actions are of GitHub or Docker and name a version, and workflows name no host but defaults of variables', () => {
  const used = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(used.filter(name => !/^(?:actions|docker)\/[\w-]+@v\d+$/.test(name))).toEqual([])
  const hosts = FLOWS.flatMap(name => read(`.github/workflows/${name}`).match(/[\w.]*\bghcr\.io\b.*|https?:\S+/g) ?? [])
  expect(hosts).toEqual(["ghcr.io' }}"])
})

test('issue forms have a name and fields with unique ids', () => {
  for (const name of readdirSync(`${REPO}.github/ISSUE_TEMPLATE`)) {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`), { strict: true })
    if (name === 'config.yml') continue
    expect([form.name, form.description].every(text => typeof text === 'string')).toBe(true)
    const fields = form.body.filter(({ type }: { type: string }) => type !== 'markdown')
    const ids = fields.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...new Set(ids)])
    expect(fields.every(({ attributes }: { attributes: { label?: string } }) => attributes.label)).toBe(true)
  }
})

test('the settings of Renovate and of the editor are JSON', () => {
  expect(JSON.parse(read('renovate.json')).extends).toContain('config:recommended')
  expect(JSON.parse(read('.vscode/extensions.json')).recommendations).not.toEqual([])
})
