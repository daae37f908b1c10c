import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { rawPath } from '../../lib/resource.ts'
import { Card } from './card.tsx'
import styles from './pdf.module.css'

/**
 * A document in the browser's own viewer. No `sandbox` here, in which such viewers do not start: the answer's own policy
 * allows no script.
 */
export default function PdfViewer({ resource }: { resource: FileResource }) {
  if (!navigator.pdfViewerEnabled) return <Card resource={resource} text={t('preview.noPdf')} />
  return (
    <iframe className={styles.document} src={apiUrl(rawPath(resource.path, true))} title={shownName(resource.name)} />
  )
}
