// npm run dev [flags…]: the server, started anew when one of its files changes, beside a web build that follows its
// sources. Reload the page to see a change. Flags are passed on to the server.
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, tool } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'
import { ensureWebBuilt, forgetBuild } from './lib/web-build.mjs'

endWithNpm()
await ensureInstalled()
await ensureWebBuilt()
forgetBuild()
const watchServer = ['--watch', '--watch-preserve-output', inRepo('server/cli/index.ts'), ...process.argv.slice(2)]
const watchWeb = [
  'build',
  '--config',
  'web/vite.config.ts',
  '--watch',
  '--mode',
  'development',
  '--emptyOutDir',
  'false',
]
const end = new AbortController()
const { signal } = end
await Promise.race([runNode(watchServer, { signal }), runNode([tool.vite, ...watchWeb], { signal })])
end.abort()
