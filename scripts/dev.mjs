// npm run dev [flags…]: the server, restarted when one of its files changes, behind Vite's development server, which updates
// the page as its sources change. Flags are passed on to the server.
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

const DEFAULT_PORT = '8080'

endWithNpm()
await ensureInstalled()
// Pages and what pdf.js loads by name come from a build.
await ensureWebBuilt()
const flags = process.argv.slice(2)
const watchServer = ['--watch', '--watch-preserve-output', inRepo('server/cli/index.ts'), ...flags]
const end = new AbortController()
const { signal } = end
await Promise.race([
  runNode(watchServer, { signal }),
  runNode([inRepo('scripts', 'lib', 'dev-web.mjs'), `http://127.0.0.1:${portIn(flags)}`], { signal }),
])
end.abort()

function portIn(flags) {
  const [, value] = /(?:^| )(?:-p|--port)[ =]?(\d+)/.exec(flags.join(' ')) ?? []
  return value ?? process.env.FILIGREE_PORT ?? DEFAULT_PORT
}
