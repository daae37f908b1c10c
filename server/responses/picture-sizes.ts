import type { FastifyRequest } from 'fastify'
import type { PictureSizes } from '../../shared/api/picture-sizes.ts'
import { decodeEscapes } from '../../shared/bytes.ts'
import { PICTURES_AT_ONCE } from '../../shared/limits.ts'
import { childOf, type FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { queryOf } from '../routing/route.ts'
import type { ContentFacts } from './entry-types.ts'

/**
 * Sizes and dates of images in a folder, for the layout of a gallery before its previews have been made (http-api 6).
 * @throws AppError `bad_request` for no names or too many, PathError for names that no file can have
 */
export async function measurePictures(
  request: FastifyRequest,
  files: Files,
  folder: FilePath,
  facts: ContentFacts,
): Promise<PictureSizes> {
  const names = (queryOf(request, 'files') ?? '').split(',').map(name => decodeEscapes(name) ?? '')
  if (names.length > PICTURES_AT_ONCE) throw new AppError('bad_request', `files: more than ${PICTURES_AT_ONCE} names`)
  return facts.ofPictures(
    files,
    names.map(name => childOf(folder, name)),
  )
}
