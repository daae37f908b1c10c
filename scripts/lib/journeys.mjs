import { readdirSync } from 'node:fs'
import { inRepo } from './repo.mjs'

const tests = names => names.map(name => `test/e2e/${name}.test.ts`)

/** Signing in, browsing, uploads, copies, unusual names, share links and settings in a browser. */
export const JOURNEYS = tests([
  'browse',
  'session',
  'transfer',
  'move-copy',
  'odd-names',
  'public-share',
  'public-viewers',
  'settings',
])

/** Tests of pages that show no files, and of host programs, which are unavailable with files in a bucket. */
const WITHOUT_FILES = tests([
  ...['doctor', 'doctor-proxy', 'global-settings', 'host-settings', 'accessibility', 'phone-settings', 'settings'],
  ...['hooks', 'terminal'],
])

/** Everything that depends on where files are stored. */
export const BUCKET_JOURNEYS = readdirSync(inRepo('test/e2e'))
  .filter(name => name.endsWith('.test.ts'))
  .map(name => `test/e2e/${name}`)
  .filter(path => !WITHOUT_FILES.includes(path))
