import { databaseOf } from '../../lib/database.ts'

/** Drafts: unsaved text, stored in the browser. */
export interface TextDraft {
  text: string
  /** The version of the file it is based on. */
  version: string
  /** Milliseconds since the epoch. */
  at: number
}

const { read, write } = databaseOf('filigree', 'drafts')

/** A separate key for every user and file. */
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
