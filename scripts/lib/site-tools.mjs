import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { inRepo, systemEnvironment } from './repo.mjs'
import { run, say } from './run.mjs'

const STAMP = inRepo('site', 'node_modules', '.filigree-install')

/** Installs the tools of site/ as their own lockfile says. Silent when they are up to date. */
export async function ensureSiteTools() {
  const wanted = createHash('sha256')
    .update(readFileSync(inRepo('site', 'package-lock.json')))
    .digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  say('Installing the tools of the site…')
  // None of them needs a script of its own to be installed.
  const args = ['ci', '--prefix', inRepo('site'), '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error']
  const { code } = await run('npm', args, { env: systemEnvironment() })
  if (code !== 0) process.exit(code)
  writeFileSync(STAMP, wanted)
}
