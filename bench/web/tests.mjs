import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../scripts/lib/repo.mjs'
import { runNode } from '../../scripts/lib/run.mjs'

/** Goals of which tests speak: what a title, that of the group around it, or a file has to say. */
const ABOUT = {
  axe: /no barrier that axe/,
  keyboard: /keyboard|\bkeys?\b|\bF\d\b|arrows/i,
  touch: /touch|phone|\btaps?\b|\bswip/i,
  reflow: /320 pixels|fits a phone/,
  names: /odd-names|names|name that is not UTF-8/,
}

/** Runs the browser tests under the root and counts for goals 12 to 18. @returns {Promise<[key: string, figure: number][]>} */
export async function runTests() {
  process.stderr.write('running the browser tests…\n')
  const specs = await runPlaywright()
  const about = key => specs.filter(({ label }) => ABOUT[key].test(label))
  const passed = of => (of.length === 0 ? 0 : (100 * of.filter(({ ok }) => ok).length) / of.length)
  const failed = of => of.filter(({ ok }) => !ok).length
  return [
    ['axe', failed(about('axe'))],
    ['keyboard', passed(about('keyboard'))],
    ['keyboard count', about('keyboard').length],
    ['touch', passed(about('touch'))],
    ['touch count', about('touch').length],
    ['reflow', failed(about('reflow'))],
    ['policy', specs.filter(({ errors }) => errors.includes('policy: ')).length],
    ['names', passed(about('names'))],
  ]
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

/** @param within titles of the file and the groups around */
function specsOf({ title: group, suites = [], specs = [] }, within = '') {
  const path = `${within}${group}: `
  const own = specs.map(({ title, ok, tests }) => {
    const errors = tests.flatMap(test => test.results.flatMap(result => result.errors))
    return { label: path + title, ok, errors: errors.map(error => error.message).join('\n') }
  })
  return [...own, ...suites.flatMap(suite => specsOf(suite, path))]
}
