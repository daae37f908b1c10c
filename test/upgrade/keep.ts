import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startServer } from '../api/harness.ts'
import { DATABASES, fill, makeFiles } from './home.ts'

// npm run database:keep [-- NAME]: a database of this version, which every later one has to upgrade.
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const server = await startServer({ prepare: async ({ root }) => makeFiles(root) })
const made = await fill(server)
await server.end()
const kept = join(DATABASES, process.argv[2] ?? version)
writeFileSync(`${kept}.db.gz`, gzipSync(readFileSync(server.database), { level: 9 }))
writeFileSync(`${kept}.json`, `${JSON.stringify(made, null, 2)}\n`)
await server.stop()
process.stdout.write(`${kept}.db.gz\n`)
