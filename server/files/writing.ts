import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, PublishOptions, WriteOptions } from '../storage/driver.ts'
import { demandSeen, type Policy } from './policy.ts'
import type { FilesContext } from './recheck-access.ts'

export interface WriteRequest {
  /** Whether an existing entry may be replaced; needs the modify permission. */
  override: boolean
  /** Announced bytes. */
  length?: number
  /** Replace only this version. */
  ifMatch?: string
  /**
   * Replace only if unchanged since then, in milliseconds since the epoch; compared by the second (RFC 9110 13.1.4).
   */
  unmodifiedSince?: number
  /** Modification time of the new file, in milliseconds since the epoch. */
  modified?: number
  /** POSIX permission bits of a new file. */
  mode?: number
  signal?: AbortSignal
}

/** The options for publishing a resumable upload. */
export type FinishRequest = WriteRequest & Pick<PublishOptions, 'length' | 'check'>

/** Those that check whether the file is whole. */
export const finishOptions = ({ length, check }: FinishRequest) => ({ length, ...(check ? { check } : {}) })

/** The driver's options for a request. @param mayReplace whether the user may replace anything */
export function writeOptions(request: WriteRequest, mayReplace: boolean): WriteOptions {
  const { override, length, ifMatch, modified, mode, signal } = request
  return {
    ifAbsent: !(override && mayReplace),
    ...(length === undefined ? {} : { length }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(modified === undefined ? {} : { modified }),
    ...(mode === undefined ? {} : { mode }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/**
 * Checks whether an upload to a path may begin, and end. @throws forbidden, is_a_folder, exists, precondition_failed
 */
export async function demandUpload(
  { store, policy }: FilesContext,
  path: FilePath,
  request: WriteRequest,
): Promise<void> {
  demandSeen(policy, path, 'create')
  const standing = await store.stat(path)
  if (standing?.kind === 'folder') throw new AppError('is_a_folder')
  demandReplace(policy, standing, request)
  demandConditions(standing, request)
}

/** @throws forbidden, not_found, is_a_folder, outside_scope unless the content of a file may be replaced */
export async function demandSave({ store, policy }: FilesContext, path: FilePath): Promise<void> {
  demandSeen(policy, path, 'replace')
  const standing = await store.stat(path)
  if (!standing) throw new AppError('not_found')
  if (standing.kind === 'link') throw new AppError('outside_scope')
  if (standing.kind === 'folder') throw new AppError('is_a_folder')
}

/** @throws outside_scope, special_file, exists, forbidden unless the existing entry, if any, may be replaced */
export function demandReplace(policy: Policy, standing: Entry | undefined, { override }: WriteRequest): void {
  if (!standing) return
  if (standing.kind === 'link') throw new AppError('outside_scope')
  if (standing.kind === 'special') throw new AppError('special_file')
  if (!override || standing.kind === 'folder') throw new AppError('exists')
  policy.demand('replace')
}

/** @throws precondition_failed when the existing entry does not match the conditions */
export function demandConditions(
  standing: Entry | undefined,
  { ifMatch, unmodifiedSince }: Pick<WriteRequest, 'ifMatch' | 'unmodifiedSince'>,
): void {
  if (ifMatch !== undefined && standing?.version !== ifMatch) throw new AppError('precondition_failed')
  if (unmodifiedSince === undefined || !standing) return
  if (seconds(standing.modified) > seconds(unmodifiedSince)) throw new AppError('precondition_failed')
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
