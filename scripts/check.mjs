// npm run check: format, lint, types, architecture, the API's description, texts, style sheets, size. One line per
// step; writes nothing.
import { existsSync } from 'node:fs'
import { checkLogicalCss } from './lib/css.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, projectEnvironment, tool } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'
import { ensureSiteTools } from './lib/site-tools.mjs'

const AT_A_TIME = 3

/** Tools written in Go collect garbage less often: half of their time went there. */
const env = { ...projectEnvironment(), GOGC: '400', GOMEMLIMIT: '2GiB' }

const node =
  (...args) =>
  async () => {
    const { code, output } = await runNode(args, { quiet: true, env })
    return { ok: code === 0, output }
  }

/** The steps, the slow ones first: name, act, the file without which it is skipped, whether its result is printed. */
const STEPS = [
  // One pass reads each file once, for the rules and for the types.
  ['lint, types', node(tool.oxlint, '--type-aware', '--type-check', '--deny-warnings')],
  [
    'architecture',
    node(
      tool.vitest,
      'run',
      '--project',
      'server',
      '--reporter=dot',
      'test/architecture.test.ts',
      'test/words.test.ts',
    ),
  ],
  // Nothing of Node is in scope here, as in a browser.
  ['types browser', node(tool.tsc, '--checkers', '1', '--project', 'web/tsconfig.app.json')],
  ['format', node(tool.biome, 'check', '--error-on-warnings')],
  ['description', node('test/docs/lint-description.ts')],
  ['texts', node('web/tools/i18n-check.ts'), 'web/tools/i18n-check.ts'],
  ['lockfile', node('scripts/complete-lockfile.mjs', '--check')],
  ['css', async () => checkLogicalCss()],
  ['size', node('scripts/size.mjs'), undefined, 'prints its result'],
]

await ensureInstalled()
await ensureSiteTools()
const started = performance.now()
const waiting = STEPS.filter(([, , needs]) => needs === undefined || existsSync(inRepo(needs)))
const failures = []
await Promise.all(Array.from({ length: AT_A_TIME }, work))
process.stdout.write(`\n${failures.length === 0 ? 'all well' : `failed: ${failures.join(', ')}`}  ${since(started)}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) await report(...step)
}

async function report(name, act, _needs, tells) {
  const began = performance.now()
  const { ok, output } = await act().catch(error => ({ ok: false, output: error.message }))
  if (!ok) failures.push(name)
  const line = [ok ? 'ok  ' : 'FAIL', name.padEnd(15), since(began).padStart(6), ok && tells ? lastLineOf(output) : '']
    .filter(Boolean)
    .join('  ')
  process.stdout.write(`${line}\n${ok ? '' : `${output.trimEnd()}\n`}`)
}

function since(time) {
  return `${((performance.now() - time) / 1000).toFixed(1)} s`
}

function lastLineOf(text) {
  return text.trim().split('\n').at(-1)
}
