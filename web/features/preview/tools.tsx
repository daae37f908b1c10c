import type { ReactNode } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { t } from '../../lib/i18n/index.ts'
import { Link, type ShownAs, shownUrl } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { Binary, FileText, Table2 } from '../../ui/icons.ts'
import { isTable } from '../files/items/names.ts'
import styles from './tools.module.css'

interface WaysProps {
  resource: FileResource
  /** The way it is looked at already. */
  as?: ShownAs
}

/** The other ways to look at a file, whatever it is. */
export function OtherWays({ resource: { path, name }, as }: WaysProps) {
  const ways = [
    { as: 'text' as const, label: t('preview.asText'), icon: <FileText size={18} aria-hidden /> },
    ...(isTable(name)
      ? [{ as: 'table' as const, label: t('preview.asTable'), icon: <Table2 size={18} aria-hidden /> }]
      : []),
    { as: 'hex' as const, label: t('preview.asHex'), icon: <Binary size={18} aria-hidden /> },
  ]
  return ways
    .filter(way => way.as !== as)
    .map(way => (
      <Link key={way.as} className={`${buttons.button} ${buttons.quiet}`} to={shownUrl(path, way.as)} replace>
        {way.icon}
        {way.label}
      </Link>
    ))
}

interface ToolsProps extends Required<WaysProps> {
  /** Shared by a link, where there are no other ways. */
  shared?: boolean
  children: ReactNode
}

/** What stands above a table or bytes: its own tools, and the other ways to look at the file. */
export function Tools({ resource, as, shared = false, children }: ToolsProps) {
  return (
    <div className={styles.tools}>
      {children}
      {!shared && (
        <span className={styles.ways}>
          <OtherWays resource={resource} as={as} />
        </span>
      )}
    </div>
  )
}
