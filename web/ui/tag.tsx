import type { SVGProps } from 'react'
import { drawIcon } from './icon.tsx'

/** A label on a string, with a third of the path data of the library's: it is in the script of the first page. */
export const Tag = (props: SVGProps<SVGSVGElement> & { size?: number | string }) =>
  drawIcon('M3 3h8l10 10a1 1 0 0 1 0 2l-6 6a1 1 0 0 1-2 0L3 11zM7.5 7.5h0', props as { size?: number })
