import { buffer } from 'node:stream/consumers'
import type { VerifiedFile } from '../../../shared/api/manifests.ts'
import { type FilePath, joinPath, nameOf, PathError, parentOf, parsePath } from '../../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { type ManifestLine, parseManifest } from './format.ts'

/** A file with its checksum, or one that could not be read and why. */
export type SummedFile = ManifestLine | { unread: string; code: ErrorCode }

/** Codes of a file that is not there, or not for the caller. */
const MISSING: ReadonlySet<ErrorCode> = new Set([
  ...(['not_found', 'not_a_folder', 'is_a_folder', 'forbidden', 'outside_scope', 'special_file'] as const),
])

/**
 * Every file below a folder with its SHA-256, in the order of a walk, or a single file. Links are left out.
 * @param how `fresh`: every file is read, also where its checksum is known
 * @throws forbidden without the right to read, and what `Files.walk` throws, before the first file
 */
export async function sumsBelow(
  files: Files,
  entry: Entry,
  how: { signal: AbortSignal; fresh: boolean },
): Promise<AsyncGenerator<SummedFile>> {
  const { signal } = how
  files.demandRead(entry.path)
  if (entry.kind !== 'folder') return sumsOf(files, [entry], entry.path, how)
  const groups = await files.walk(entry.path, { signal })
  const found = async function* () {
    for await (const items of groups) for (const item of items) yield item.entry ?? item.skipped
  }
  return sumsOf(files, found(), entry.path, how)
}

async function* sumsOf(
  files: Files,
  found: AsyncIterable<Entry | { path: FilePath; code: ErrorCode }> | Iterable<Entry>,
  top: FilePath,
  how: { signal: AbortSignal; fresh: boolean },
): AsyncGenerator<SummedFile> {
  for await (const item of found) {
    const name = item.path === top ? nameOf(top) : nameBelow(item.path, top)
    if ('code' in item) yield { unread: name, code: item.code }
    else if (item.kind === 'file' && !item.isLink) yield await summed(files, item.path, name, how)
  }
}

const nameBelow = (path: FilePath, top: FilePath) => path.slice(top === '/' ? 1 : top.length + 1)

async function summed(
  files: Files,
  path: FilePath,
  name: string,
  { signal, fresh }: { signal: AbortSignal; fresh: boolean },
): Promise<SummedFile> {
  try {
    return { name, sum: await files.checksums.of(path, signal, { fresh }) }
  } catch (thrown) {
    signal.throwIfAborted()
    return { unread: name, code: asAppError(thrown).code }
  }
}

/**
 * Compares the files that a manifest names with their checksums in it. A name is relative to the folder of the manifest;
 * a file that the caller may not see is `missing`, as one that does not exist.
 * @throws body_too_large for a manifest beyond the limit, bad_request for one without a line of a checksum, and what
 *   `Files.open` throws, before the first file
 */
export async function verify(files: Files, path: FilePath, signal: AbortSignal): Promise<AsyncGenerator<VerifiedFile>> {
  const lines = parseManifest(await readManifest(files, path))
  if (!lines.some(line => line !== undefined)) throw new AppError('bad_request', 'no line with a SHA-256 checksum')
  return verified(files, parentOf(path), lines, signal)
}

async function readManifest(files: Files, path: FilePath): Promise<Buffer> {
  const file = await files.open(path)
  try {
    if (file.entry.size > LIMITS.manifest) throw new AppError('body_too_large', 'the manifest is too large')
    return file.entry.size === 0 ? Buffer.alloc(0) : await buffer(file.stream())
  } finally {
    await file.close()
  }
}

async function* verified(
  files: Files,
  folder: FilePath,
  lines: readonly (ManifestLine | undefined)[],
  signal: AbortSignal,
): AsyncGenerator<VerifiedFile> {
  for (const line of lines) {
    signal.throwIfAborted()
    if (line) yield { name: line.name, state: await stateOf(files, folder, line, signal) }
    else yield { name: '', state: 'noLine' }
  }
}

async function stateOf(
  files: Files,
  folder: FilePath,
  { name, sum }: ManifestLine,
  signal: AbortSignal,
): Promise<VerifiedFile['state']> {
  try {
    const path = joinPath(folder, parsePath(name.replace(/^(?:\.\/)+/, '')))
    return (await files.checksums.of(path, signal, { fresh: true })) === sum ? 'same' : 'different'
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof PathError) return 'missing'
    return MISSING.has(asAppError(thrown).code) ? 'missing' : 'unread'
  }
}
