import { createHash } from 'node:crypto'
import type { BrandingImageName } from '../../../shared/api/branding.ts'
import type { Db } from '../../db/schema.ts'
import type { CheckedImage } from './check-image.ts'

/** What is known of an uploaded image without its content. */
export interface ImageFacts {
  name: BrandingImageName
  type: string
  /** Bytes. */
  size: number
  /** Pixels; 0 for vector graphics. */
  width: number
  height: number
  version: string
}

const FACTS = ['name', 'type', 'size', 'width', 'height', 'version'] as const

/** The uploaded images. */
export async function listImages(db: Db): Promise<ImageFacts[]> {
  return (await db.selectFrom('branding_images').select(FACTS).orderBy('name').execute()) as ImageFacts[]
}

export interface StoredImage extends ImageFacts {
  content: Buffer
  /** Milliseconds since the epoch. */
  changedAt: number
}

export async function readImage(db: Db, name: BrandingImageName): Promise<StoredImage | undefined> {
  const row = await db.selectFrom('branding_images').selectAll().where('name', '=', name).executeTakeFirst()
  if (!row) return undefined
  const { content, changed_at: changedAt, ...facts } = row
  return { ...(facts as ImageFacts), content: Buffer.from(content, 'base64'), changedAt }
}

/** Stores an image in place of the one before. */
export async function storeImage(
  db: Db,
  name: BrandingImageName,
  { content, ...facts }: CheckedImage,
): Promise<ImageFacts> {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const image = { name, ...facts, size: content.length, version }
  const row = { ...image, content: content.toString('base64'), changed_at: Date.now() }
  await db
    .insertInto('branding_images')
    .values(row)
    .onConflict(conflict => conflict.column('name').doUpdateSet(row))
    .execute()
  return image
}

/** @returns whether there was one */
export async function removeImage(db: Db, name: BrandingImageName): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('branding_images').where('name', '=', name).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
