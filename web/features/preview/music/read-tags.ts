import { parseBlob } from 'music-metadata'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { api } from '../../../lib/api.ts'
import { rawPath } from '../../files/api/resource.ts'
import { RangedBlob, type ReadRange } from './ranged-blob.ts'

/** What the tags of an audio file say about it. */
export interface Tags {
  title?: string | undefined
  artist?: string | undefined
  album?: string | undefined
}

/** The smallest read in bytes: tags are read a few bytes at a time. */
const AHEAD = 128 * 1024
/** Requests per file; tags that need more are ignored. */
const MAX_REQUESTS = 16

/** The tags of a file on the server. */
export const fetchTags = ({ path, size }: ResourceItem, signal: AbortSignal): Promise<Tags> =>
  readTags(new RangedBlob(readerOf(path, size, signal), 0, size))

/** @param file need not have all its bytes: what was read before an error counts */
export async function readTags(file: Blob): Promise<Tags> {
  let tags: Tags = {}
  const observer = ({ metadata: { common } }: { metadata: { common: Tags } }) => {
    tags = { title: common.title, artist: common.artist, album: common.album }
  }
  await parseBlob(file, { skipCovers: true, skipPostHeaders: true, duration: false, observer }).catch(() => undefined)
  return tags
}

/** Reads a file by ranges, and serves reads from the last one. */
function readerOf(path: string, size: number, signal: AbortSignal): ReadRange {
  let from = 0
  let held = new Uint8Array()
  let requests = MAX_REQUESTS
  return async (start, wanted) => {
    const end = Math.min(start + wanted, size)
    if (start < from || end > from + held.length) {
      if (requests-- === 0) throw new Error('too many reads')
      const last = Math.min(size, start + Math.max(wanted, AHEAD)) - 1
      const answer = await api(rawPath(path, true), { headers: { Range: `bytes=${start}-${last}` }, signal })
      if (answer.status !== 206) throw new Error('not a range')
      held = new Uint8Array(await answer.arrayBuffer())
      from = start
    }
    return held.subarray(start - from, end - from)
  }
}
