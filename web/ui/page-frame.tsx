import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { OfflineNotice } from './offline-bar.tsx'
import styles from './page-frame.module.css'

interface PageFrameProps {
  title: ReactNode
  /** Below the title. */
  summary?: ReactNode
  /** At the end of the line of the title. */
  tools?: ReactNode
  /** For a look of its own. */
  className?: string | undefined
  heading?: Ref<HTMLHeadingElement>
  /** The focus stays where it is, instead of moving to the title. */
  keepsFocus?: boolean
  children: ReactNode
}

/** The frame of a page that lists items: its title, which takes the focus, and a notice while offline. */
export function PageFrame({ title, summary, tools, className, heading, keepsFocus = false, children }: PageFrameProps) {
  const own = useRef<HTMLHeadingElement>(null)
  useImperativeHandle(heading, () => own.current as HTMLHeadingElement)
  useEffect(() => {
    if (!keepsFocus) own.current?.focus()
  }, [keepsFocus])
  return (
    <div className={`${styles.page} ${className ?? ''}`}>
      <OfflineNotice />
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 ref={own} className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {summary}
        </div>
        {tools}
      </header>
      {children}
    </div>
  )
}
