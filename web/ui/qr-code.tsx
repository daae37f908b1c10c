import { useMemo } from 'react'
import { qrCode } from './qr.ts'
import styles from './qr-code.module.css'

/** Light modules around a code, as scanners need them. */
const BORDER = 4

/** A text as a QR code, dark on light in every theme; nothing for one that is too long. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => qrCode(text), [text])
  if (!rows) return null
  const size = rows.length + 2 * BORDER
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + BORDER} ${y + BORDER}h1v1h-1z` : '')))
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  )
}
