import type { FileResource } from '../../../shared/api/resources.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { PackageOpen } from '../../ui/icons.ts'
import ArchiveBrowser from '../files/archive/browser.tsx'
import { ownArchive } from '../files/archive/source.ts'
import { Card } from './card.tsx'

/** An archive, browsed on the server. */
export default function ArchiveViewer({ resource }: { resource: FileResource }) {
  const { user } = useSession()
  const source = ownArchive(resource)
  return (
    <ArchiveBrowser
      key={source.key}
      source={source}
      unreadable={error => <Card resource={resource} text={errorText(error)} />}
    >
      {user?.perm.create && (
        <Button icon={<PackageOpen size={18} aria-hidden />} onClick={() => openPrompt('extract', { item: resource })}>
          {t('actions.extract')}
        </Button>
      )}
    </ArchiveBrowser>
  )
}
