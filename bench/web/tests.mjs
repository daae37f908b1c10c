import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../scripts/lib/repo.mjs'
import { runNode } from '../../scripts/lib/run.mjs'
import { JOURNEYS } from './journeys.mjs'

/** Goals measured by tests, with the required words in a test's title, its group's title or its file. */
const ABOUT = {
  axe: /no axe violations/,
  reflow: /320 pixels|fits a phone/,
  names: /odd-names|names|name that is not UTF-8/,
}

/**
 * Runs the browser tests under the root and counts for goals 12 to 18. @returns {Promise<[key: string, figure:
 * number][]>}
 */
export async function runTests() {
  process.stderr.write('running the browser tests…\n')
  const specs = await runPlaywright()
  const about = key => specs.filter(({ label }) => ABOUT[key].test(label))
  const passed = of => (of.length === 0 ? 0 : (100 * of.filter(({ ok }) => ok).length) / of.length)
  const ways = JOURNEYS.map(([task, ...titles]) => titles.map((title, way) => journeyOf(specs, task, way, title)))
  const failed = of => of.filter(({ ok }) => !ok).length
  return [
    ['axe', failed(about('axe'))],
    ['mouse', passed(ways.map(([mouse]) => mouse))],
    ['keyboard', passed(ways.map(([, keyboard]) => keyboard))],
    ['touch', passed(ways.map(([, , touch]) => touch))],
    ['tasks', ways.length],
    ['reflow', failed(about('reflow'))],
    ['policy', specs.filter(({ errors }) => errors.includes('policy: ')).length],
    ['names', passed(about('names'))],
  ]
}

const WAYS = ['mouse', 'keyboard', 'touch']

/**
 * Whether a task can be done that way: at least one test has the title, and all of them pass. Reports one that does
 * not.
 */
function journeyOf(specs, task, way, title) {
  const found = specs.filter(spec => spec.title.startsWith(title))
  const ok = found.length > 0 && found.every(spec => spec.ok)
  if (!ok) process.stderr.write(`to ${task} by ${WAYS[way]}: ${found.length === 0 ? 'no test' : 'failed'}\n`)
  return { ok }
}

async function runPlaywright() {
  const folder = mkdtempSync(join(tmpdir(), 'filigree-bench-tests-'))
  const report = join(folder, 'report.json')
  const args = [tool.playwright, 'test', '--project=root', '--reporter=dot,json']
  await runNode(args, { env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } })
  const { suites } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  return suites.flatMap(suite => specsOf(suite))
}

/** @param within titles of the file and the enclosing groups */
function specsOf({ title: group, suites = [], specs = [] }, within = '') {
  const path = `${within}${group}: `
  const own = specs.map(({ title, ok, tests }) => {
    const errors = tests.flatMap(test => test.results.flatMap(result => result.errors))
    return { title, label: path + title, ok, errors: errors.map(error => error.message).join('\n') }
  })
  return [...own, ...suites.flatMap(suite => specsOf(suite, path))]
}
