// npm run test:proxies [-- --only NAME --way kept|stripped] [files…]: the browser tests once more behind each reverse proxy
// of docs/proxies, under its prefix, over HTTPS and HTTP/2. Files are those below test/e2e; without any, the journeys.
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
const { values, positionals } = parseArgs({ options: { only: text, way: text }, allowPositionals: true })
const files = positionals.length > 0 ? positionals : JOURNEYS
endWithNpm()
await ensureInstalled()
const browser = await ensureBrowser()
await ensureBuilt()
await ensureTestPrograms()
const names = NAMES.filter(name => (values.only ?? name) === name)
const ways = ['kept', 'stripped'].filter(way => (values.way ?? way) === way)
const results = []
for (const name of names) for (const way of ways) results.push(await behind(name, way))
for (const line of untriedProxies()) say(line)
for (const { name, way, code, seconds } of results) {
  say(`${name.padEnd(8)} ${way.padEnd(9)} ${code === 0 ? 'passed' : 'failed'}  ${seconds.toFixed(0).padStart(5)} s`)
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1

async function behind(name, way) {
  say(`Behind ${name}, with the prefix ${way}:`)
  const started = Date.now()
  const env = {
    ...projectEnvironment(),
    FILIGREE_EXECUTABLE: EXECUTABLE,
    FILIGREE_CHROMIUM: browser,
    FILIGREE_PROXY: `${name} ${way}`,
  }
  const args = [tool.playwright, 'test', '--reporter=list', ...files]
  const { code } = await runNode(args, { env })
  return { name, way, code, seconds: (Date.now() - started) / 1000 }
}
