import type { ReactNode, SVGProps } from 'react'

/**
 * Draws an icon of the chrome, hidden from screen readers; the build makes a component of each.
 * @param path data of its path, in a square of 24 units
 */
export function drawIcon(path: string, { size = 24, ...rest }: SVGProps<SVGSVGElement> & { size?: number }): ReactNode {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      <path d={path} />
    </svg>
  )
}
