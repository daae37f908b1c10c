import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** Side in CSS pixels, including the quiet zone. */
const SIZE = 200
/** Width of the quiet zone in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A text as a QR code of level M. Dark on white in every theme: many scanners read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', boostEcc: false, border: QUIET_ZONE })
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

/** One stroke per dark run of a row. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((line, y) => runsOf(line).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('')
}

function runsOf(line: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, dark] of line.entries()) {
    const last = runs.at(-1)
    if (!dark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}
