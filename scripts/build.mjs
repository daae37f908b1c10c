// npm run build: the browser side into dist/web, with precompressed variants, and the server into dist/server.
import { ensureInstalled } from './lib/install.mjs'
import { buildServer } from './lib/server-build.mjs'
import { buildWeb } from './lib/web-build.mjs'

await ensureInstalled()
await buildWeb()
await buildServer()
