import { ensureServerBuilt } from './server-build.mjs'
import { ensureWebBuilt } from './web-build.mjs'

/** Builds whatever has changed since the last build. Silent when there is nothing to do. */
export async function ensureBuilt() {
  await ensureWebBuilt()
  await ensureServerBuilt()
}
