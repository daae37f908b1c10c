import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { isRunning } from './lock.mjs'
import { inRepo } from './repo.mjs'

/** Staging folder of a build, next to its final place. @param name a folder of `dist/` */
export function freshFolder(name) {
  removeLeftovers(name)
  return inRepo('dist', `${name}.new-${process.pid}`)
}

/** Replaces a build atomically: readers never see half of it. */
export function publish(fresh, name) {
  const output = inRepo('dist', name)
  const old = inRepo('dist', `${name}.old-${process.pid}`)
  // Another build may be published between the two renames.
  for (let attempt = 1; existsSync(fresh); attempt++) {
    try {
      if (existsSync(output)) renameSync(output, old)
      renameSync(fresh, output)
    } catch (error) {
      if (attempt === 3) throw error
    }
    rmSync(old, { recursive: true, force: true })
  }
}

/** Deletes leftovers of interrupted builds. */
function removeLeftovers(name) {
  mkdirSync(inRepo('dist'), { recursive: true })
  const leftover = new RegExp(`^${name}\\.(?:new|old)-(\\d+)$`)
  for (const entry of readdirSync(inRepo('dist'))) {
    const pid = Number(leftover.exec(entry)?.[1])
    if (pid && !isRunning(pid)) rmSync(inRepo('dist', entry), { recursive: true, force: true })
  }
}
