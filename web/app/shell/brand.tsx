/** The mark: a ledger's margin line and its entries. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeLinecap="round" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M9 7v18" stroke="var(--accent-ink)" strokeWidth="3" />
      <path d="M15 10h9M15 16h7M15 22h4" stroke="var(--accent-ink)" strokeWidth="2.4" />
    </svg>
  )
}
