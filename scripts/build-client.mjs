// The client of the API for other programs as a package in dist/client or the given folder, for `npm pack`
// or `npm install`.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, tool } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

const folder = process.argv[2] ?? inRepo('dist', 'client')
await ensureInstalled()
rmSync(folder, { recursive: true, force: true })
const options = ['--noEmit', 'false', '--declaration', '--outDir', folder]
const { code, output } = await runNode([tool.tsc, '--project', inRepo('client/tsconfig.json'), ...options], {
  quiet: true,
})
if (code === 0) {
  copyFileSync(inRepo('client/package.json'), join(folder, 'package.json'))
  copyFileSync(inRepo('LICENSE'), join(folder, 'LICENSE'))
}
process.stdout.write(code === 0 ? `${folder}\n` : output)
process.exitCode = code
