import type { ReactNode } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Copy } from '../../../ui/icons.ts'
import styles from './details.module.css'

/** A label and its value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    if (await copyText(text)) notify('success', t('details.copied'))
  }
  return (
    <IconButton label={label} className={styles.copy} onClick={() => void copy()}>
      <Copy size={16} aria-hidden />
    </IconButton>
  )
}
