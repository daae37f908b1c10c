import { databaseOf } from '../../lib/database.ts'

/** Text that was typed and not saved, kept in the browser. */
export interface TextDraft {
  text: string
  /** The version of the file it began with. */
  version: string
  /** Milliseconds since the epoch. */
  at: number
}

const { read, write } = databaseOf('filigree', 'drafts')

/** A key of its own for every user and file. */
export function draftKey(user: number, path: string): string {
  return `${user}:${path}`
}

export async function readDraft(key: string): Promise<TextDraft | undefined> {
  return (await read(store => store.get(key))) as TextDraft | undefined
}

export async function writeDraft(key: string, draft: TextDraft): Promise<void> {
  await write(store => store.put(draft, key))
}

export async function removeDraft(key: string): Promise<void> {
  await write(store => store.delete(key))
}
