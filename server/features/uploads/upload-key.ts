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

export type UploadKey = OwnUpload | Delivery

export const isDelivery = (key: UploadKey): key is Delivery => 'link' in key

/** Names an upload for its lock and its writer. */
export const keyOf = (key: UploadKey): string =>
  isDelivery(key) ? `upload:link:${key.id}` : `upload:${key.user.id}:${key.path}`

/** The same for a stored one. */
export const keyOfRow = ({ id, link, user_id, path }: UploadsTable): string =>
  link === null ? `upload:${user_id}:${path}` : `upload:link:${id}`

export async function findRow(db: Db, key: UploadKey): Promise<UploadsTable | undefined> {
  if (!isDelivery(key)) return findUpload(db, key.user.id, key.path)
  return findDelivery(db, key.link, key.id)
}
