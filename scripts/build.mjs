// npm run build: the browser side into dist/web, with precompressed variants, the server into dist/server, and the bill
// of materials of both into dist/sbom.json and dist/third-party-licences.txt.
import { writeBill } from './lib/bill.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { buildServer } from './lib/server-build.mjs'
import { buildWeb } from './lib/web-build.mjs'

await ensureInstalled()
await buildWeb()
await buildServer()
writeBill(inRepo('dist'))
