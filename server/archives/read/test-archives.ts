import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parsePath } from '../../../shared/path.ts'
import type { OpenFile } from '../../files/types.ts'
import { Semaphore } from '../../lib/limit.ts'
import { openMemory } from '../../storage/memory.ts'
import { writeFile } from '../../storage/write-file.ts'
import { openArchive } from './open-archive.ts'

export const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../test/fixtures/archives/${name}`, import.meta.url))

/** Bytes as an open file. */
export async function opened(bytes: Buffer, name = 'some.archive'): Promise<OpenFile> {
  const store = openMemory()
  const path = parsePath(`/${name}`)
  await writeFile(store, path, Readable.from([bytes]), {})
  return store.read(path)
}

/** What is read of an archive: each name with its kind, and the content of files or the error code. */
export async function readAll(bytes: Buffer, name?: string): Promise<Record<string, string>> {
  const archive = await openArchive(await opened(bytes, name), new Semaphore(1))
  const all: Record<string, string> = {}
  for await (const member of archive.members(new AbortController().signal)) {
    all[member.name] = member.kind
    if (member.kind !== 'file') continue
    const content = buffer(Readable.from(member.content()))
    all[member.name] = await content.then(String, ({ code }) => `failed: ${code}`)
  }
  return all
}
