import { REPLACEMENT, textFrom } from '../native-path.ts'

/** Offsets in a `struct linux_dirent64`; see getdents64(2). It is the same on every processor. */
const AT = { length: 16, type: 18, name: 19 }

/** Kinds by `d_type`. */
const KINDS: ReadonlyMap<number, ChildKind> = new Map([
  [8, 'file'],
  [4, 'folder'],
  [10, 'link'],
])

type ChildKind = 'file' | 'folder' | 'link'

/** Receives a child of a folder; its kind is `undefined` where a stat decides it. */
export type VisitChild = (name: string, kind: ChildKind | undefined) => void

/** Visits the entries that one call has written, without `.` and `..`. */
export function visitEntries(memory: Buffer, visit: VisitChild): void {
  for (let at = 0; at + AT.name < memory.length; ) {
    const name = nameAt(memory, at + AT.name)
    if (name !== '.' && name !== '..') visit(name, KINDS.get(memory[at + AT.type] ?? 0))
    at += memory.readUInt16LE(at + AT.length) || memory.length
  }
}

function nameAt(memory: Buffer, start: number): string {
  const end = memory.indexOf(0, start)
  const name = memory.toString('utf8', start, end)
  return name.includes(REPLACEMENT) ? textFrom(memory.subarray(start, end)) : name
}
