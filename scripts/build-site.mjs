// The documentation of docs/ as a site in dist/site. Its tools are in site/, with a lockfile of their own,
// and are installed the first time. SITE_BASE is the path below which it will be served.
import { existsSync } from 'node:fs'
import { inRepo, PROJECT_NODE, systemEnvironment } from './lib/repo.mjs'
import { run, say } from './lib/run.mjs'

const site = inRepo('site')
const vitepress = inRepo('site/node_modules/vitepress/bin/vitepress.js')
if (!existsSync(vitepress)) {
  say('Installing the tools of the site…')
  const { code } = await run('npm', ['ci', '--prefix', site, '--ignore-scripts', '--no-fund'], {
    env: systemEnvironment(),
  })
  if (code !== 0) process.exit(code)
}
const node = existsSync(PROJECT_NODE) ? PROJECT_NODE : process.execPath
const { code } = await run(node, [vitepress, 'build', site])
process.exitCode = code
