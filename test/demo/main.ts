import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { launch, type Run } from '../api/harness.ts'
import { makeSample } from '../e2e/screens/sample.ts'
import { DEMO, furnish } from './home.ts'

const { values, positionals } = parseArgs({
  options: {
    port: { type: 'string', short: 'p', default: '8080' },
    address: { type: 'string', short: 'a', default: '127.0.0.1' },
    reset: { type: 'string', default: '0' },
  },
  allowPositionals: true,
})
const minutes = Number(values.reset)
if (positionals.length > 0 || !(minutes >= 0)) {
  process.stderr.write('Usage: npm run demo [-- --port PORT] [--address ADDRESS] [--reset MINUTES]\n')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'filigree-demo-'))
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
try {
  while (!ending.signal.aborted) await serveOnce()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Serves a new home until the next reset, or until the end. */
async function serveOnce(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const root = join(folder, 'srv')
  await mkdir(root, { recursive: true })
  await makeSample(root, { now: new Date(), whole: true })
  const run = start(root)
  const address = await Promise.race([run.address, run.ended])
  if (typeof address === 'number' || !address.startsWith('http')) return fail(run)
  const url = address.replace(/\/$/, '')
  const link = await furnish(url)
  announce(url, link)
  const reset = minutes > 0 ? wait(minutes * 60_000, 'reset', ending) : wait(2 ** 31 - 1, 'reset', ending)
  const why = await Promise.race([run.ended, reset.catch(() => 'end')])
  run.child.kill('SIGTERM')
  await run.ended
  if (typeof why === 'number') fail(run)
}

function start(root: string): Run {
  const { address, port } = values
  const database = ['--database', join(folder, 'filigree.db'), '--cacheDir', join(folder, 'cache')]
  const flags = ['--address', address, '--port', port, '--username', DEMO.name]
  const log = ['--log', join(folder, 'filigree.log')]
  return launch(['--root', root, ...database, ...flags, ...log], { env: { FILIGREE_ADMIN_PASSWORD: DEMO.password } })
}

function announce(url: string, link: string): void {
  const life = minutes > 0 ? `Everything is reset every ${minutes} minutes.` : 'Everything is reset at the next start.'
  process.stdout.write(`
The demo is at ${url}/
  sign in as ${DEMO.name}, with the password ${DEMO.password}
  a share link, without an account: ${link}
${life} Ctrl+C ends it.
`)
}

function fail({ output }: Run): void {
  process.stderr.write(output())
  process.exitCode = 1
  ending.abort()
}
