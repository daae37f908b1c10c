import type { BigIntStats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { below, type Confinement, type Handle, hold } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'
import { isSameObject } from './stat-fields.ts'

/** Callbacks of a walk, from the leaves upwards. */
export interface Visitor {
  /** Called for everything below the top before any other callback acts on it. */
  check?(path: FilePath): void
  /** Files, links and special files of one folder; the path is the folder's. */
  leaves?(folder: Handle, names: readonly string[], path: FilePath): Promise<void>
  /** A folder whose content has been visited. */
  left?(parent: Handle, name: string): Promise<void>
}

/** A folder on the way down: enough to recognize it on the way up, without holding it. */
interface Level {
  name: string
  path: FilePath
  stat: BigIntStats
  /** Subfolders that are still to be visited. */
  ahead: string[]
}

/**
 * Walks a held folder's tree without following links. Only one folder is open at a time and no path is longer than one
 * name, so that neither the number of descriptors nor PATH_MAX limits the depth.
 * @param top ownership passes to this function, which closes it
 * @throws unavailable when a folder is moved away during the walk; system errors
 */
export async function walkTree(level: Confinement, top: Handle, path: FilePath, visitor: Visitor): Promise<void> {
  let here = top
  const step = async (next: Promise<Handle>) => {
    const handle = await next
    here.close()
    here = handle
  }
  try {
    const way: Level[] = [await enter(here, '', path, visitor)]
    for (let at = way.at(-1); at; at = way.at(-1)) {
      const name = at.ahead.pop()
      if (name !== undefined) {
        await step(hold(level, below(here, name), true))
        if (!here.stat.isDirectory()) throw new AppError('unavailable')
        way.push(await enter(here, name, trustedChild(at.path, name), visitor))
        continue
      }
      way.pop()
      const above = way.at(-1)
      if (!above) break
      await step(hold(level, below(here, '..')))
      if (!isSameObject(here.stat, above.stat)) throw new AppError('unavailable')
      await visitor.left?.(here, at.name)
    }
  } finally {
    here.close()
  }
}

async function enter(folder: Handle, name: string, path: FilePath, visitor: Visitor): Promise<Level> {
  const children = await readdir(nativePath(folder.at), { withFileTypes: true, encoding: 'buffer' })
  const leaves: string[] = []
  const ahead: string[] = []
  for (const child of children) {
    const childName = textFrom(child.name)
    visitor.check?.(trustedChild(path, childName))
    ;(child.isDirectory() ? ahead : leaves).push(childName)
  }
  await visitor.leaves?.(folder, leaves, path)
  return { name, path, stat: folder.stat, ahead }
}
