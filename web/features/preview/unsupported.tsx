import type { FileResource } from '../../../shared/api/resources.ts'
import { t } from '../../lib/i18n/index.ts'
import { Card } from './card.tsx'

/** A file of a type without a viewer. */
export default function Unsupported({ resource }: { resource: FileResource }) {
  return <Card resource={resource} text={t('common.noPreview')} />
}
