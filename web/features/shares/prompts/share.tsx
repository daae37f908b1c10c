import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { LinkChange, LinkKind, ShareLink } from '../../../../shared/api/shares.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { copyLink, linksQuery, reloadShares } from '../../files/api/share-links.ts'
import { LINK_FORM, LinkForm } from '../link-form.tsx'
import { LinksList } from '../links-list.tsx'
import styles from '../people.module.css'
import { People } from '../people.tsx'
import { kindsToMake, rightsToGive } from '../rights.ts'
import { changeShare, createShare } from '../save-link.ts'

interface SharePromptProps {
  item: Pick<ResourceItem, 'path' | 'name' | 'isDir'>
}

/** The form for a new link or for the one with this hash, or the list of existing ones. */
type Mode = 'list' | 'new' | { hash: string }

/** The share links to a file or folder. */
export default function SharePrompt({ item }: SharePromptProps) {
  const path = item.path.replace(/\/$/, '')
  const links = useQuery(linksQuery(path))
  const [wanted, setWanted] = useState<Mode>()
  const [fresh, setFresh] = useState<{ hash: string; copied: boolean }>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLElement>(null)
  const mode = wanted ?? (links.data?.length === 0 ? 'new' : 'list')
  const changed = typeof mode === 'object' ? links.data?.find(({ hash }) => hash === mode.hash) : undefined

  const { user } = useSession()
  const kinds = user ? kindsToMake(user.perm, item.isDir) : []
  const mayGive = user ? rightsToGive(user.perm) : []

  const save = async (change: LinkChange, kind: LinkKind) => {
    if (changed) {
      const link = await changeShare(changed, change)
      setFresh({ hash: link.hash, copied: false })
    } else {
      const link = await createShare({ path, isDir: item.isDir }, change, kind)
      setFresh({ hash: link.hash, copied: await copyLink(link) })
    }
    await reloadShares()
    setWanted('list')
  }
  const remove = (link: ShareLink) => openPrompt('shareDelete', { link, back: () => openPrompt('share', { item }) })
  const showDeliveries = (link: ShareLink) =>
    openPrompt('deliveries', { link, back: () => openPrompt('share', { item }) })
  const showVisits = (link: ShareLink) => openPrompt('visits', { link, back: () => openPrompt('share', { item }) })
  const listed = mode === 'list' ? links.data : undefined
  return (
    <Dialog
      wide={mode === 'list'}
      title={t('shares.title', { name: item.name })}
      description={links.data && mode === 'new' && kinds.length < 2 ? t('shares.explain') : undefined}
      onClose={closePrompt}
      initialFocus={first}
      footer={
        mode === 'list' ? (
          <>
            <Button icon={<Plus size={18} aria-hidden />} disabled={!listed} onClick={() => setWanted('new')}>
              {t('shares.new')}
            </Button>
            <Button onClick={closePrompt}>{t('common.close')}</Button>
          </>
        ) : (
          <>
            <Button onClick={links.data?.length ? () => setWanted('list') : closePrompt}>{t('common.cancel')}</Button>
            <Button kind="primary" type="submit" form={LINK_FORM} busy={busy}>
              {t(changed ? 'fields.save' : 'shares.create')}
            </Button>
          </>
        )
      }
    >
      {!changed && (
        <>
          <People path={path} isDir={item.isDir} />
          <h3 className={styles.title}>{t('shares.links')}</h3>
        </>
      )}
      {(mode === 'new' || changed) && (
        <LinkForm link={changed} kinds={kinds} mayGive={mayGive} onBusy={setBusy} save={save} />
      )}
      {listed && (
        <LinksList
          links={listed}
          fresh={fresh}
          onDelete={remove}
          onEdit={({ hash }) => setWanted({ hash })}
          onDeliveries={showDeliveries}
          onVisits={showVisits}
        />
      )}
      {!links.data && links.error && <LoadFailure error={links.error} onRetry={() => void links.refetch()} />}
      {links.isLoading && <Spinner label={t('common.loading')} onRetry={() => void links.refetch()} />}
    </Dialog>
  )
}
