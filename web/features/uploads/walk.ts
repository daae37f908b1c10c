import { checkName, PathError } from '../../../shared/path.ts'
import type { Dropped } from './drop.ts'

/** A chosen or dropped file or folder, with its path below the destination (`/`-separated, no leading slash). */
export interface ChosenItem {
  path: string
  /** `undefined` for a folder. */
  file: File | undefined
}

/** A chosen file that cannot be read; it is reported, not skipped. */
export interface UnreadableItem {
  path: string
  reason: 'unreadable' | 'bad-name'
}

export interface Chosen {
  items: ChosenItem[]
  unreadable: UnreadableItem[]
}

/** Everything below the dropped items, including empty folders. */
export async function walkDrop({ entries, files }: Dropped): Promise<Chosen> {
  const chosen = fromFiles(files)
  const waiting = entries.map(entry => ({ entry, path: entry.name }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { entry, path } = next
    if (!isName(entry.name)) {
      chosen.unreadable.push({ path, reason: 'bad-name' })
      continue
    }
    try {
      if (isFolder(entry)) {
        chosen.items.push({ path, file: undefined })
        for (const child of await readFolder(entry)) waiting.push({ entry: child, path: `${path}/${child.name}` })
      } else {
        chosen.items.push({ path, file: await readFile(entry as FileSystemFileEntry) })
      }
    } catch {
      chosen.unreadable.push({ path, reason: 'unreadable' })
    }
  }
  return chosen
}

/** Files of a chooser. A folder chooser gives each file's path below the folder; the folders are derived from those. */
export function fromFiles(files: Iterable<File>): Chosen {
  const chosen: Chosen = { items: [], unreadable: [] }
  const folders = new Set<string>()
  for (const file of files) {
    const path = file.webkitRelativePath || file.name
    const names = path.split('/')
    if (!names.every(isName)) {
      chosen.unreadable.push({ path, reason: 'bad-name' })
      continue
    }
    for (let depth = 1; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join('/')
      if (folders.has(folder)) continue
      folders.add(folder)
      chosen.items.push({ path: folder, file: undefined })
    }
    chosen.items.push({ path, file })
  }
  return chosen
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isName(name: string): boolean {
  try {
    return checkName(name) !== ''
  } catch (error) {
    if (error instanceof PathError) return false
    throw error
  }
}

/** Browsers return a folder's entries in batches (of 100, for instance); only an empty one is the end. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return all
    all.push(...batch)
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
