import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Contents, contentsOf, isLeftover, type Operation, type Stage } from './operations.ts'

/** The result of an interrupted operation. */
export type Outcome = 'old' | 'new' | 'in between, each file old or new'

/**
 * Requires that each file has its old or its new content, and that nothing is lost: files in both states exist
 * somewhere.
 * @param done the server reported success: then the new state is complete
 */
export async function demandOldOrNew(operation: Operation, { disk }: Stage, done: boolean): Promise<Outcome> {
  const now = await contentsOf(disk)
  if (done) expect(now).toEqual(operation.after)
  for (const path of new Set([
    ...Object.keys(operation.before),
    ...Object.keys(operation.after),
    ...Object.keys(now),
  ])) {
    expect([operation.before[path], operation.after[path]], path).toContain(now[path])
  }
  const there = new Set(Object.values(now))
  const after = new Set(Object.values(operation.after))
  for (const hash of Object.values(operation.before)) if (after.has(hash)) expect(there).toContain(hash)
  if (isSame(now, operation.after)) return 'new'
  return isSame(now, operation.before) ? 'old' : 'in between, each file old or new'
}

/** Requires that the operation leaves nothing behind, once the server had time to clean up. */
export async function demandTidy(operation: Operation, { disk }: Stage): Promise<void> {
  await expect.poll(() => leftoversIn(disk)).toEqual([])
  await expect.poll(async () => strayFolders(operation, disk)).toEqual([])
}

const isSame = (one: Contents, other: Contents) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())

async function namesIn(disk: string) {
  const entries = await readdir(disk, { recursive: true, withFileTypes: true })
  return entries.map(entry => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
}

const leftoversIn = async (disk: string) => (await namesIn(disk)).map(({ path }) => path).filter(isLeftover)

/** Empty folders that did not exist before. */
async function strayFolders(operation: Operation, disk: string): Promise<string[]> {
  const names = await namesIn(disk)
  const known = Object.keys(operation.before).map(name => join(disk, name))
  const isNeeded = (path: string) =>
    [...known, ...names.filter(name => !name.isFolder).map(name => name.path)].some(file => file.startsWith(`${path}/`))
  return names.filter(({ path, isFolder }) => isFolder && !isNeeded(path)).map(({ path }) => path)
}
