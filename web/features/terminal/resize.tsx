import type { RefObject } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { localSize } from '../../lib/local-preference.ts'
import { useStore } from '../../lib/store.ts'
import { Splitter } from '../../ui/splitter.tsx'
import styles from './panel.module.css'

/** CSS pixels. */
const LOWEST = 140
/** Minimum height of the content above. */
const REST = 120

const height = localSize('filigree.terminal', LOWEST, 280)

/** Height of the terminal in CSS pixels; stored in this browser. */
export function usePanelHeight(): number {
  return useStore(height.store)
}

/** The splitter between the content and the terminal. */
export function Separator({ panel }: { panel: RefObject<HTMLElement | null> }) {
  return (
    <Splitter
      label={t('terminal.height')}
      className={styles.separator}
      orientation="horizontal"
      size={height}
      highest={() => Math.max(LOWEST, (panel.current?.parentElement?.clientHeight ?? innerHeight) - REST)}
      grow="ArrowUp"
      shrink="ArrowDown"
      shown={() => panel.current?.offsetHeight}
      sizeAt={({ clientY }) => {
        const box = panel.current?.getBoundingClientRect()
        return box && box.bottom - clientY
      }}
    />
  )
}
