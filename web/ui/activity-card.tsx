import { type ReactNode, useEffect, useId, useState } from 'react'
import { useActivitiesRequest } from '../lib/activity.ts'
import { t } from '../lib/i18n/index.ts'
import styles from './activity-card.module.css'
import { IconButton } from './button.tsx'
import { ChevronDown, X } from './icons.ts'

export interface ActivityCardProps {
  /** Names the region. */
  label: string
  /** Status line. */
  title: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  children?: ReactNode
}

/** A card in the corner for a background activity. F6 reaches it. */
export function ActivityCard({ label, title, actions, children }: ActivityCardProps) {
  return (
    <section className={styles.card} aria-label={label} data-region="" data-activity="">
      <div className={styles.head}>
        <div className={styles.title}>{title}</div>
        {actions}
      </div>
      {children}
    </section>
  )
}

export interface FoldingCardProps extends ActivityCardProps {
  /** What stays visible when the card is collapsed. */
  summary?: ReactNode
  /** Whether the list is initially collapsed. */
  folded?: boolean
  /** The button at the end, where the card can be closed. */
  close?: { label: string; run: () => void } | undefined
}

/** The same with a collapsible list, which is not rendered while collapsed. */
export function FoldingCard({ actions, summary, folded = false, close, children, ...card }: FoldingCardProps) {
  const [open, setOpen] = useState(!folded)
  const call = useActivitiesRequest()
  const listId = useId()
  useEffect(() => {
    if (call > 0) setOpen(true)
  }, [call])
  const buttons = (
    <>
      {actions}
      <IconButton
        label={t(open ? 'uploads.collapse' : 'uploads.expand')}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <ChevronDown size={18} className={open ? undefined : styles.turned} aria-hidden />
      </IconButton>
      {close && (
        <IconButton label={close.label} onClick={close.run}>
          <X size={18} aria-hidden />
        </IconButton>
      )}
    </>
  )
  return (
    <ActivityCard {...card} actions={buttons}>
      {summary}
      <div id={listId} hidden={!open}>
        {open && children}
      </div>
    </ActivityCard>
  )
}
