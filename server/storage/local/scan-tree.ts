import type { Dirent } from 'node:fs'
import { FACTS, foldText, type Hit, partsOf } from '../found-names.ts'
import { isHiddenName } from './desktop-can.ts'
import type { Confinement } from './handle.ts'
import { eachChildSync } from './native-path.ts'
import { reachedFolder } from './sync-read.ts'

/** A tree on disk whose names are searched by a worker thread. */
export interface TreeToScan {
  /** Its real path. */
  real: string
  level: Confinement
  stagingKey: Uint8Array
  words: readonly string[]
  /** Real paths to skip: mount points of disks that do not respond. */
  silent: readonly string[]
}

/** A search in a tree: yields some matches, or none, where it can be suspended. */
export interface NameScan {
  found: Generator<Hit[]>
  /** Names scanned so far. */
  readonly met: number
}

/** Hits after which a search can be suspended within a folder. */
const MOST_HITS = 250

interface Child {
  name: string
  fact: number
  isHit: boolean
}

interface Level {
  path: string
  /** A stack of what comes next: matches, and folders. */
  ahead: Child[]
}

/**
 * Names below a folder that contain one of the words, ignoring case; all names without words. Folders come before their
 * content, names in order; links are listed and not followed. Only the list of names of each folder is read, and only
 * if the folder's real path is the expected one.
 */
export function scanTree(tree: TreeToScan): NameScan {
  const parts = partsOf(tree.words)
  const isHit = (name: string) => {
    if (tree.words.length === 0) return true
    const folded = foldText(name)
    return parts.some(part => folded.includes(part))
  }
  const key = Buffer.from(tree.stagingKey)
  const scan = { met: 0, found: walk() }
  return scan

  function* walk(): Generator<Hit[]> {
    const levels: Level[] = []
    let hits: Hit[] = []
    const enter = (path: string) => {
      const ahead = childrenOf(path)
      if (ahead === 'unread') hits.push({ path, fact: FACTS.unread, disk: 0 })
      else levels.push({ path, ahead })
    }
    enter('')
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const child = level.ahead.pop()
      if (!child) {
        levels.pop()
        continue
      }
      const path = level.path === '' ? child.name : `${level.path}/${child.name}`
      if (child.isHit) hits.push({ path, fact: child.fact, disk: 0 })
      if (child.fact === FACTS.folder) enter(path)
      else if (hits.length < MOST_HITS) continue
      yield hits
      hits = []
    }
    yield hits
  }

  function childrenOf(path: string): Child[] | 'unread' {
    const real = path === '' ? tree.real : `${tree.real === '/' ? '' : tree.real}/${path}`
    if (tree.silent.includes(real)) return []
    const handle = reachedFolder(real, tree.level)
    if (typeof handle === 'string') return handle === 'gone' ? [] : handle
    const children: Child[] = []
    try {
      eachChildSync(handle.at, (name, is) => {
        scan.met += 1
        const child = { name, fact: factOf(is), isHit: isHit(name) }
        if ((child.isHit || child.fact === FACTS.folder) && !isHiddenName(key, real, name)) children.push(child)
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
