// npm test [files…]: install when needed, get a browser when there is none, build when stale, run every suite. Names
// below test/e2e/ go to Playwright, other names to Vitest; without names both run everything. The output ends with what
// could not run on this machine, each suite's time and the names of the tests that failed, or passed only on a retry
// (on CI); the last line is "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms, untried } from './lib/test-programs.mjs'

const names = process.argv.slice(2)
const browserNames = names.filter(name => name.includes('test/e2e'))
const unitNames = names.filter(name => !name.includes('test/e2e'))
const everything = names.length === 0

endWithNpm()
await ensureInstalled()
const needsBrowser = everything || browserNames.length > 0
// The tests start the bundle: it is faster, and it is what users run.
const own = { ...projectEnvironment(), FILIGREE_EXECUTABLE: EXECUTABLE }
const env = { ...own, ...(needsBrowser && { FILIGREE_CHROMIUM: await ensureBrowser() }) }
await ensureBuilt()
if (everything || unitNames.length > 0) await ensureTestPrograms()

const reports = mkdtempSync(join(tmpdir(), 'filigree-test-'))
const tallies = []
if (everything || unitNames.length > 0) tallies.push(await runVitest())
if (needsBrowser) tallies.push(await runPlaywright())
rmSync(reports, { recursive: true, force: true })
process.stdout.write(summary())
process.exitCode = tallies.every(tally => tally.failed === 0) ? 0 : 1

function summary() {
  const sum = key => tallies.reduce((total, tally) => total + tally[key], 0)
  const named = (word, key) =>
    tallies.flatMap(({ runner, ...tally }) => tally[key].map(name => `${word}  ${runner}: ${name}`))
  const times = tallies.map(({ runner, seconds }) => `${runner.padEnd(10)} ${seconds.toFixed(0).padStart(5)} s`)
  const flaky = named('passed on a retry', 'flaky')
  return [
    '',
    ...flaky,
    ...named('failed', 'failures'),
    ...(everything ? [...untried(), 'skipped: files in a bucket, which npm run test:scale has'] : []),
    ...times,
    `${sum('passed')} passed, ${sum('failed')} failed`,
    '',
  ].join('\n')
}

async function runVitest() {
  const report = `${reports}/vitest.json`
  const reporters = [
    'default',
    './scripts/lib/vitest-report.mjs',
    ...(everything ? ['./test/api/coverage/reporter.ts'] : []),
  ]
  const args = ['run', '--passWithNoTests', ...reporters.map(name => `--reporter=${name}`)]
  const reporting = { ...env, FILIGREE_VITEST_REPORT: report }
  return measured('vitest', [tool.vitest, ...args, ...unitNames], reporting, () => ({
    ...{ passed: 0, failures: [], flaky: [] },
    ...readReport(report),
  }))
}

async function runPlaywright() {
  const report = `${reports}/playwright.json`
  const args = ['test', '--pass-with-no-tests', '--reporter=list,json', ...browserNames]
  const reporting = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  return measured('playwright', [tool.playwright, ...args], reporting, () => {
    const { stats = { expected: 0, flaky: 0 }, errors = [], suites = [] } = readReport(report)
    const ended = status => suites.flatMap(suite => namesOfSuite(suite, status))
    const failures = [...ended('unexpected'), ...errors.map(error => error.message.split('\n')[0])]
    return { passed: stats.expected + stats.flaky, failures, flaky: ended('flaky') }
  })
}

/** The names of the tests of a suite and its sub-suites with that result; each once per base URL. */
function namesOfSuite({ specs = [], suites = [] }, status) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(test => test.status === status)
      .map(test => `[${test.projectName}] test/e2e/${file}:${line} › ${title}`),
  )
  return [...own, ...suites.flatMap(suite => namesOfSuite(suite, status))]
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/**
 * Runs a test runner and counts its results. A bad exit code without a failed test (a crash, an unhandled rejection)
 * counts as one failure.
 */
async function measured(runner, args, environment, count) {
  const began = Date.now()
  const { code } = await runNode(args, { env: environment })
  const { passed, failures, flaky } = count()
  if (code !== 0 && failures.length === 0) failures.push(`ended with code ${code} although no test failed`)
  return { runner, passed, failed: failures.length, failures, flaky, seconds: (Date.now() - began) / 1000 }
}
