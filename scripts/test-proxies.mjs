// npm run test:proxies [-- --only NAME --way kept|stripped --line wide|narrow] [files…]: the browser tests once more
// behind each reverse proxy of docs/proxies, under its prefix, over HTTPS: on a wide line by HTTP/2, on a narrow one by
// HTTP/1.1 and without WebSockets. Files are those below test/e2e; without any, the journeys. Without names, the tests
// of the recipes come first, responses of more than a minute among them.
import { parseArgs } from 'node:util'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { JOURNEYS } from './lib/journeys.mjs'
import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms, untriedProxies } from './lib/test-programs.mjs'

const NAMES = ['nginx', 'Caddy', 'Apache', 'HAProxy']

const text = { type: 'string' }
const { values, positionals } = parseArgs({ options: { only: text, way: text, line: text }, allowPositionals: true })
const files = positionals.length > 0 ? positionals : JOURNEYS
endWithNpm()
await ensureInstalled()
const browser = await ensureBrowser()
await ensureBuilt()
await ensureTestPrograms()
const names = NAMES.filter(name => (values.only ?? name) === name)
const ways = ['kept', 'stripped'].filter(way => (values.way ?? way) === way)
const lines = ['wide', 'narrow'].filter(line => (values.line ?? line) === line)
const results = []
if (process.argv.length === 2) results.push(await alone())
for (const name of names)
  for (const way of ways) for (const line of lines) results.push(await behind(`${name} ${way} ${line}`))
for (const line of untriedProxies()) say(line)
for (const { name, code, seconds } of results) {
  say(`${name.padEnd(24)} ${code === 0 ? 'passed' : 'failed'}  ${seconds.toFixed(0).padStart(5)} s`)
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1

/** The tests of the recipes, without a browser. */
function alone() {
  const args = [tool.vitest, 'run', '--project', 'server', 'test/proxies']
  return timed('recipes', args, { FILIGREE_SLOW: 'test/proxies' })
}

/** The browser tests behind one proxy. */
function behind(name) {
  const args = [tool.playwright, 'test', '--reporter=list', ...files]
  return timed(name, args, { FILIGREE_CHROMIUM: browser, FILIGREE_PROXY: name })
}

async function timed(name, args, more) {
  say(`${name}:`)
  const started = Date.now()
  const env = { ...projectEnvironment(), FILIGREE_EXECUTABLE: EXECUTABLE, ...more }
  const { code } = await runNode(args, { env })
  return { name, code, seconds: (Date.now() - started) / 1000 }
}
