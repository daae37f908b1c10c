import type { SVGProps } from 'react'
import { drawIcon } from './icon.tsx'

/** A star, with a tenth of the path data of the library's: it is in the script of the first page. */
export const Star = (props: SVGProps<SVGSVGElement> & { size?: number | string }) =>
  drawIcon('m12 2.4 2.7 6.5 7 .5-5.3 4.6 1.6 6.9-6-3.7-6 3.7 1.6-6.9L2.3 9.4l7-.5z', props as { size?: number })
