import { pageConfig } from '../../lib/config.ts'
import { useQuery } from '../../lib/query.ts'
import { pixelsQuery } from '../files/api/pixels.ts'
import type { DocumentProps } from './document/bytes.ts'
import { type Size, uprightSize } from './zoom.ts'

/**
 * The size of an image in its own pixels, upright; its preview may have fewer. `undefined` until it is known.
 * @param shown the size of what is shown, once that has loaded
 */
export function usePixels({ resource, source }: DocumentProps, shown: Size | undefined): Size | undefined {
  const { resolution } = resource
  const isAsked = pageConfig.ResizePreview && source === undefined && resolution === undefined
  const { data, isPending } = useQuery({ ...pixelsQuery(resource), enabled: isAsked })
  if (!shown || (isAsked && isPending)) return undefined
  const stored = resolution ?? data
  return stored ? uprightSize(stored, shown) : shown
}
