// npm test [files…]: install when needed, get a browser when there is none, build when stale, run every suite.
// Names below test/e2e/ go to Playwright, other names to Vitest; without names both run everything.
// The last line says "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode, say } from './lib/run.mjs'
import { ensureUnpackers } from './lib/unpackers.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

const names = process.argv.slice(2)
const browserNames = names.filter(name => name.includes('test/e2e'))
const unitNames = names.filter(name => !name.includes('test/e2e'))
const everything = names.length === 0

endWithNpm()
await ensureInstalled()
const needsBrowser = everything || browserNames.length > 0
const env = { ...projectEnvironment(), ...(needsBrowser && { FILIGREE_CHROMIUM: await ensureBrowser() }) }
await ensureBuilt()
if (everything || unitNames.length > 0) await ensureUnpackers()

const reports = mkdtempSync(join(tmpdir(), 'filigree-test-'))
const tallies = []
if (everything || unitNames.length > 0) tallies.push(await runVitest())
if (needsBrowser) tallies.push(await runPlaywright())
rmSync(reports, { recursive: true, force: true })
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function runVitest() {
  const report = `${reports}/vitest.json`
  const reporters = ['default', 'json', ...(everything ? ['./test/wire/coverage/reporter.ts'] : [])]
  const args = [
    'run',
    '--passWithNoTests',
    ...reporters.map(name => `--reporter=${name}`),
    `--outputFile.json=${report}`,
  ]
  const { code } = await runNode([tool.vitest, ...args, ...unitNames], { env })
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report)
  // A file that cannot even be loaded has no tests to count; it counts as one failure.
  const broken = testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0)
  return tally('vitest', code, numPassedTests, numFailedTests + broken.length)
}

async function runPlaywright() {
  const report = `${reports}/playwright.json`
  const args = ['test', '--pass-with-no-tests', '--reporter=list,json', ...browserNames]
  const { code } = await runNode([tool.playwright, ...args], { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } })
  const { stats = { expected: 0, flaky: 0, unexpected: 0 }, errors = [] } = readReport(report)
  return tally('playwright', code, stats.expected + stats.flaky, stats.unexpected + errors.length)
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** A runner that ends badly without a failed test (it crashed, a promise was left alone) counts as one failure. */
function tally(runner, code, passed, failed) {
  if (code === 0 || failed > 0) return { passed, failed }
  say(`${runner} ended with code ${code} although no test failed; that counts as a failure.`)
  return { passed, failed: 1 }
}
