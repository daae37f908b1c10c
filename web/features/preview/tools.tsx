import type { ReactNode } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { documentFormat } from '../../../shared/documents.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { Link, type ShownAs, shownUrl } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { Binary, FileText, Printer, SquarePen, Table2 } from '../../ui/icons.ts'
import { isTable } from '../files/items/names.ts'
import styles from './tools.module.css'

interface OtherViewsProps {
  resource: FileResource
  /** The current view. */
  as?: ShownAs
}

/** Links to the other views of a file, for every type. */
export function OtherViews({ resource: { path, name }, as }: OtherViewsProps) {
  const otherViews = [
    ...(pageConfig.Office && documentFormat(name)
      ? [{ as: 'office' as const, label: t('actions.edit'), icon: <SquarePen size={18} aria-hidden /> }]
      : []),
    { as: 'text' as const, label: t('preview.asText'), icon: <FileText size={18} aria-hidden /> },
    ...(isTable(name)
      ? [{ as: 'table' as const, label: t('preview.asTable'), icon: <Table2 size={18} aria-hidden /> }]
      : []),
    ...(pageConfig.Documents && documentFormat(name)
      ? [{ as: 'paper' as const, label: t('preview.asPaper'), icon: <Printer size={18} aria-hidden /> }]
      : []),
    { as: 'hex' as const, label: t('preview.asHex'), icon: <Binary size={18} aria-hidden /> },
  ]
  return otherViews
    .filter(way => way.as !== as)
    .map(way => (
      <Link key={way.as} className={`${buttons.button} ${buttons.quiet}`} to={shownUrl(path, way.as)} replace>
        {way.icon}
        {way.label}
      </Link>
    ))
}

interface ToolsProps extends Required<OtherViewsProps> {
  /** In a public share, which has no other views. */
  shared?: boolean
  children: ReactNode
}

/** The toolbar of a table or hex view: its own tools, and the other views of the file. */
export function Tools({ resource, as, shared = false, children }: ToolsProps) {
  return (
    <div className={styles.tools}>
      {children}
      {!shared && (
        <span className={styles.ways}>
          <OtherViews resource={resource} as={as} />
        </span>
      )}
    </div>
  )
}
