import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { isRunning } from './lock.mjs'
import { inRepo } from './repo.mjs'

/** Where a build is made before it takes its place: beside it. @param name a folder of `dist/` */
export function freshFolder(name) {
  removeLeftovers(name)
  return inRepo('dist', `${name}.new-${process.pid}`)
}

/** Puts a build in its place, whole: who reads there never sees half of it. */
export function publish(fresh, name) {
  const output = inRepo('dist', name)
  const old = inRepo('dist', `${name}.old-${process.pid}`)
  // Another build may put its own in place between the two renames.
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

/** Removes what builds left behind that were interrupted. */
function removeLeftovers(name) {
  mkdirSync(inRepo('dist'), { recursive: true })
  const leftover = new RegExp(`^${name}\\.(?:new|old)-(\\d+)$`)
  for (const entry of readdirSync(inRepo('dist'))) {
    const pid = Number(leftover.exec(entry)?.[1])
    if (pid && !isRunning(pid)) rmSync(inRepo('dist', entry), { recursive: true, force: true })
  }
}
