import type { FolderResource, Resource } from '../../../../shared/api/resources.ts'

/** The last line of a long listing. */
const END = ']}'

/**
 * Reads the answer to a folder's call. A long one comes in lines: the first is a listing once it is closed, each other
 * one brings more entries.
 * @param onBegin takes the first rows of a long one
 * @throws TypeError when its end is missing
 */
export async function readListing(
  { body }: Pick<Response, 'body'>,
  onBegin: (begun: FolderResource) => void,
): Promise<Resource> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let folder: FolderResource | undefined
  let rest = ''
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (folder) folder.items.push(...JSON.parse(`[${line.slice(1)}]`))
      else {
        folder = JSON.parse(line + END)
        onBegin(JSON.parse(line + END))
      }
    }
  }
  if (!folder) return JSON.parse(rest)
  if (rest !== END) throw new TypeError('the listing was cut short')
  return folder
}
