import { useState } from 'react'
import { pageConfig } from '../lib/config.ts'
import styles from './brand-mark.module.css'

/** The host's logo, or the product's: a ledger's margin line and its entries. The name is next to it. */
export function BrandMark({ size = 24 }: { size?: number }) {
  const [broken, setBroken] = useState(false)
  if (pageConfig.Logo && !broken) {
    // A logo may be a word: as high as the product's, and wider.
    return (
      <img
        className={styles.logo}
        src={pageConfig.Logo}
        height={size}
        alt=""
        data-logo=""
        onError={() => setBroken(true)}
      />
    )
  }
  return (
    <svg
      className={styles.mark}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 7v18" stroke="var(--accent-ink)" strokeWidth="3" />
      <path d="M15 10h9M15 16h7M15 22h4" stroke="var(--accent-ink)" strokeWidth="2.4" />
    </svg>
  )
}
