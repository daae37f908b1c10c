import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { ShareLink } from '../../../../shared/api/shares.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { copyLink, linksQuery, reloadShares } from '../../files/api/share-links.ts'
import { CREATE_FORM, CreateForm } from '../create-form.tsx'
import { LinksList } from '../links-list.tsx'

interface SharePromptProps {
  item: Pick<ResourceItem, 'path' | 'name' | 'isDir'>
}

/** The share links to a file or folder: the list of existing ones, or the form for a new one. */
export default function SharePrompt({ item }: SharePromptProps) {
  const path = item.path.replace(/\/$/, '')
  const links = useQuery(linksQuery(path))
  const [wanted, setWanted] = useState<'list' | 'form'>()
  const [fresh, setFresh] = useState<ShareLink>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLElement>(null)
  const mode = wanted ?? (links.data?.length === 0 ? 'form' : 'list')

  const onCreated = async (link: ShareLink) => {
    await copyLink(link)
    await reloadShares()
    setFresh(link)
    setWanted('list')
  }
  const remove = (link: ShareLink) => openPrompt('shareDelete', { link, back: () => openPrompt('share', { item }) })
  const listed = mode === 'list' ? links.data : undefined
  return (
    <Dialog
      wide={mode === 'list'}
      title={t('shares.title', { name: item.name })}
      description={links.data && mode === 'form' ? t('shares.explain') : undefined}
      onClose={closePrompt}
      initialFocus={first}
      footer={
        mode === 'form' ? (
          <>
            <Button onClick={links.data?.length ? () => setWanted('list') : closePrompt}>{t('common.cancel')}</Button>
            <Button kind="primary" type="submit" form={CREATE_FORM} busy={busy}>
              {t('shares.create')}
            </Button>
          </>
        ) : (
          <>
            <Button icon={<Plus size={18} aria-hidden />} disabled={!listed} onClick={() => setWanted('form')}>
              {t('shares.new')}
            </Button>
            <Button kind="primary" onClick={closePrompt}>
              {t('common.close')}
            </Button>
          </>
        )
      }
    >
      {mode === 'form' && <CreateForm item={{ path, isDir: item.isDir }} onBusy={setBusy} onCreated={onCreated} />}
      {listed && <LinksList links={listed} fresh={fresh?.hash} onDelete={remove} />}
      {!links.data && links.error && <LoadFailure error={links.error} onRetry={() => void links.refetch()} />}
      {links.isLoading && <Spinner label={t('common.loading')} onRetry={() => void links.refetch()} />}
    </Dialog>
  )
}
