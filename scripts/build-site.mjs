// npm run site: the documentation of docs/ as a site in dist/site. Its tools are in site/, with a lockfile of their own,
// and are installed the first time. SITE_BASE is the path below which it will be served; other arguments are VitePress's.
import { existsSync } from 'node:fs'
import { inRepo, PROJECT_NODE } from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { ensureSiteTools } from './lib/site-tools.mjs'

await ensureSiteTools()
const node = existsSync(PROJECT_NODE) ? PROJECT_NODE : process.execPath
const vitepress = inRepo('site/node_modules/vitepress/bin/vitepress.js')
const { code } = await run(node, [vitepress, 'build', inRepo('site'), ...process.argv.slice(2)])
process.exitCode = code
