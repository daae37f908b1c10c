import type { Dirent } from 'node:fs'
import type { Found } from '../names/hit.ts'
import { FACTS, foldText } from '../names/name-pages.ts'
import { partsOf } from '../names/query.ts'
import type { Confinement } from './handle.ts'
import { reachedFolder } from './names/reading.ts'
import { eachChildSync } from './native-path.ts'
import { isStagingName } from './temp-names.ts'

/** A tree on disk whose names are searched by a worker thread. */
export interface TreeToSeek {
  /** Where its top really is. */
  real: string
  level: Confinement
  stagingKey: Uint8Array
  words: readonly string[]
  /** Real paths to leave alone: of disks that do not answer. */
  silent: readonly string[]
}

/** A search in a tree: what it finds, and nothing where others are to get their turn. */
export interface TreeSeek {
  found: Generator<Found | undefined>
  /** Names looked at so far. */
  readonly met: number
}

interface Child {
  name: string
  fact: number
  isHit: boolean
}

interface Level {
  path: string
  /** What comes next, the last of it first: things found, and folders. */
  ahead: Child[]
}

/**
 * Names below a folder that hold one of the words, whatever their case; all without words. Folders come before their
 * content, names in order; links are met and not followed. Nothing but the list of names of each folder is read, and only
 * of a folder that really is where the way down leads.
 */
export function seekTree(tree: TreeToSeek): TreeSeek {
  const parts = partsOf(tree.words)
  const isHit = (name: string) => {
    if (tree.words.length === 0) return true
    const folded = foldText(name)
    return parts.some(part => folded.includes(part))
  }
  const key = Buffer.from(tree.stagingKey)
  const seek = { met: 0, found: walk() }
  return seek

  function* walk(): Generator<Found | undefined> {
    const levels: Level[] = []
    const enter = (path: string): Found[] => {
      const ahead = childrenOf(path)
      if (ahead === 'unread') return [{ path, fact: FACTS.unread, disk: 0 }]
      levels.push({ path, ahead })
      return []
    }
    yield* enter('')
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const child = level.ahead.pop()
      if (!child) {
        levels.pop()
        continue
      }
      const path = level.path === '' ? child.name : `${level.path}/${child.name}`
      if (child.isHit) yield { path, fact: child.fact, disk: 0 }
      if (child.fact !== FACTS.folder) continue
      yield* enter(path)
      yield undefined
    }
  }

  function childrenOf(path: string): Child[] | 'unread' {
    const real = path === '' ? tree.real : `${tree.real === '/' ? '' : tree.real}/${path}`
    if (tree.silent.includes(real)) return []
    const handle = reachedFolder(real, tree.level)
    if (typeof handle === 'string') return handle === 'gone' ? [] : handle
    const children: Child[] = []
    try {
      eachChildSync(handle.at, (name, is) => {
        seek.met += 1
        const child = { name, fact: factOf(is), isHit: isHit(name) }
        if ((child.isHit || child.fact === FACTS.folder) && !isStagingName(key, name)) children.push(child)
      })
    } catch {
      return 'unread'
    } finally {
      handle.close()
    }
    return children.sort((a, b) => (a.name < b.name ? 1 : -1))
  }
}

function factOf(is: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): number {
  if (is.isFile()) return 0
  if (is.isDirectory()) return FACTS.folder
  return is.isSymbolicLink() ? FACTS.link : FACTS.special
}
