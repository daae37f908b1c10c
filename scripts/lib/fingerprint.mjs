import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inRepo } from './repo.mjs'

/**
 * Names, sizes and times of all inputs of a build: a change of any of them makes the build stale.
 * @param sources files and folders of the clone
 * @param leftOut excluded paths
 */
export function fingerprint(sources, leftOut) {
  const hash = createHash('sha1')
  for (const source of sources) addTo(hash, inRepo(source), leftOut)
  return hash.digest('hex')
}

function addTo(hash, path, leftOut) {
  if (leftOut.test(path) || !existsSync(path)) return
  const info = statSync(path)
  if (info.isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, join(path, name), leftOut)
  } else {
    hash.update(`${path}\0${info.size}\0${info.mtimeMs}\n`)
  }
}
