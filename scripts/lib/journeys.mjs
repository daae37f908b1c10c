import { readdirSync } from 'node:fs'
import { inRepo } from './repo.mjs'

const tests = names => names.map(name => `test/e2e/${name}.test.ts`)

/** Signing in, looking around, uploads, copies, odd names, links and settings in a browser, as a person does them. */
export const JOURNEYS = tests(['browse', 'session', 'transfer', 'move-copy', 'odd-names', 'public-share', 'settings'])

/** Those about pages that show no files, and about programs of the host, which nobody has where files are in a bucket. */
const WITHOUT_FILES = tests([
  ...['doctor', 'doctor-proxy', 'global-settings', 'host-settings', 'looks', 'phone-settings', 'settings'],
  ...['hooks', 'terminal'],
])

/** All that has to do with where files are kept. */
export const BUCKET_JOURNEYS = readdirSync(inRepo('test/e2e'))
  .filter(name => name.endsWith('.test.ts'))
  .map(name => `test/e2e/${name}`)
  .filter(path => !WITHOUT_FILES.includes(path))
