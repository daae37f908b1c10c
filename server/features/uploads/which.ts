import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Db, UploadsTable } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import { findDelivery, findUpload } from './uploads.store.ts'

/** What an upload is written with. */
export type UploadTools = Pick<Files, 'writer' | 'checksums'>

/** An upload of a user, known by its path. */
export interface OwnUpload {
  user: User
  path: FilePath
}

/** An upload of a visitor, known by its id to the holders of a link. */
export interface Delivery {
  /** The owner of the link. */
  user: User
  link: string
  id: string
  /** May write nothing but what the link allows. */
  tools: UploadTools
}

export type Which = OwnUpload | Delivery

export const isDelivery = (which: Which): which is Delivery => 'link' in which

/** Names an upload for its lock and its writer. */
export const keyOf = (which: Which): string =>
  isDelivery(which) ? `upload:link:${which.id}` : `upload:${which.user.id}:${which.path}`

/** The same for a stored one. */
export const keyOfRow = ({ id, link, user_id, path }: UploadsTable): string =>
  link === null ? `upload:${user_id}:${path}` : `upload:link:${id}`

export async function findRow(db: Db, which: Which): Promise<UploadsTable | undefined> {
  if (!isDelivery(which)) return findUpload(db, which.user.id, which.path)
  return findDelivery(db, which.link, which.id)
}
