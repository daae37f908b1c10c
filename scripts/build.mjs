// npm run build: the browser side into dist/web, with precompressed variants.
import { ensureInstalled } from './lib/install.mjs'
import { buildWeb } from './lib/web-build.mjs'

await ensureInstalled()
await buildWeb()
